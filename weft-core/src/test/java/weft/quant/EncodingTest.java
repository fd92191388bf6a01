package weft.quant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EncodingTest {
  static Stream<Encoding> sampled() {
    return Encodings.all().stream()
        .filter(encoding -> QuantSamples.bytes(encoding.name() + ".packed").isPresent());
  }

  static Stream<Encoding> sampledEncoders() {
    return Encodings.all().stream()
        .filter(encoding -> QuantSamples.bytes(encoding.name() + ".encoded").isPresent());
  }

  static List<Encoding> all() {
    return Encodings.all();
  }

  @ParameterizedTest
  @MethodSource("sampled")
  void decodesToTheReferenceBitForBit(Encoding encoding) {
    var packed = MemorySegment.ofArray(QuantSamples.bytes(encoding.name() + ".packed").get());
    var decoded = new float[QuantSamples.VALUES];

    encoding.decode(packed, 0, decoded, 0, decoded.length);

    assertThat(decoded).containsExactly(QuantSamples.floats(encoding.name() + ".decoded"));
  }

  @ParameterizedTest
  @MethodSource("sampledEncoders")
  void encodesToTheBytesOfTheReference(Encoding encoding) {
    var source = QuantSamples.floats("source.f32");
    var packed = new byte[(int) encoding.bytes(source.length)];

    encoding.encode(source, 0, source.length, MemorySegment.ofArray(packed), 0);

    assertThat(packed)
        .containsExactly(QuantSamples.bytes(encoding.name() + ".encoded").orElseThrow());
  }

  @ParameterizedTest
  @MethodSource("all")
  void decodesAnyRunOfBlocksOnItsOwn(Encoding encoding) {
    int blocks = 5;
    var bytes = new byte[3 + blocks * encoding.blockBytes()];
    new SplittableRandom(1).nextBytes(bytes);
    var packed = MemorySegment.ofArray(bytes);
    int values = encoding.blockValues();
    var whole = new float[blocks * values];
    encoding.decode(packed, 3, whole, 0, whole.length);

    var part = new float[2 + 3 * values];
    encoding.decode(packed, 3 + 2L * encoding.blockBytes(), part, 2, 3 * values);

    var expected = new float[part.length];
    System.arraycopy(whole, 2 * values, expected, 2, 3 * values);
    assertThat(part).containsExactly(expected);
  }

  @ParameterizedTest
  @MethodSource("all")
  void refusesPartsOfBlocks(Encoding encoding) {
    int values = encoding.blockValues();
    if (values == 1) {
      assertThat(encoding.bytes(3)).isEqualTo(3L * encoding.blockBytes());
      return;
    }
    var packed = MemorySegment.ofArray(new byte[2 * encoding.blockBytes()]);
    var floats = new float[2 * values];

    assertThatExceptionOfType(QuantException.class)
        .isThrownBy(() -> encoding.decode(packed, 0, floats, 0, values + 1))
        .withMessageContaining((values + 1) + " values")
        .withMessageContaining(encoding.name() + " blocks of " + values);
  }
}
