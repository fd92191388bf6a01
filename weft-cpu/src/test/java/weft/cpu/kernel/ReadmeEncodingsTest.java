package weft.cpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weft.cpu.asm.Isa;
import weft.quant.Encodings;

/** What the README says of encodings with emitted kernels is what the library has. */
class ReadmeEncodingsTest {
  private static final Pattern EXCEPTIONS = Pattern.compile("all encodings but ([\\w, ]+);");

  @Test
  void theReadmeNamesThoseWithoutEmittedKernels() throws IOException {
    var readme = Files.readString(Path.of("..", "README.md"));
    var found = EXCEPTIONS.matcher(readme);
    assertThat(found.find()).isTrue();
    try (var library = KernelLibrary.open(Isa.AVX2)) {
      assertThat(found.group(1).split(", | and "))
          .containsExactlyInAnyOrderElementsOf(
              Encodings.all().stream()
                  .filter(encoding -> !library.multiplies(encoding))
                  .map(encoding -> encoding.name())
                  .collect(Collectors.toSet()));
    }
  }
}
