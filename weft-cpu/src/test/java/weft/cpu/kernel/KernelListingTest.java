package weft.cpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import weft.cpu.asm.Code;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Objdump;
import weft.cpu.kernel.product.Activations;
import weft.cpu.kernel.recurrent.ShortConv;
import weft.cpu.kernel.rows.Formula;
import weft.ir.Bin;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Routing;
import weft.quant.Encodings;

/** The text of kernels: what objdump reads in them, and goldens of three. */
class KernelListingTest {
  @TempDir Path folder;

  @BeforeEach
  void emittedCodeLoadsHere() {
    Hosts.assumeEmits();
  }

  @ParameterizedTest
  @EnumSource(Isa.class)
  void objdumpReadsEveryKernelAsItWasWritten(Isa isa) throws Exception {
    Objdump.assumeThere();
    try (var library = KernelLibrary.open(isa)) {
      emitAll(library);
      assertThat(library.code()).hasSizeGreaterThan(20);
      for (var code : library.code()) {
        check(code);
      }
    }
  }

  private static void emitAll(KernelLibrary library) {
    library.quantize(new Activations(32, 32));
    library.quantize(new Activations(256, 256));
    library.rowNorm();
    library.finishAdd();
    for (var fn : Fn.values()) {
      library.finishGate(fn);
      library.elementwise(Formula.glu(fn));
    }
    for (var bin : Bin.values()) library.elementwise(Formula.zipSpread(bin));
    library.elementwise(Formula.softCap());
    library.addNorm();
    library.l2Norm();
    library.deltaRule();
    for (var scoring : Routing.Scoring.values()) {
      for (var weights : Routing.Weights.values()) library.route(scoring, weights);
    }
    library.expertProducts();
    library.mix();
    library.peaks();
    for (int taps = 0; taps <= ShortConv.MOST_TAPS; taps++) library.shortConv(taps);
    for (var pairing : Op.Pairing.values()) {
      library.rope(pairing);
      for (var encoding : Encodings.all()) library.store(encoding, pairing);
    }
    for (var encoding : Encodings.all()) {
      library.attend(encoding);
      library.attendMany(encoding);
      library.embed(encoding);
      if (!library.multiplies(encoding)) continue;
      for (int tokens : new int[] {1, 2, 4, 8, 16, 512}) library.product(encoding, tokens, 256);
    }
  }

  private void check(Code code) throws Exception {
    var theirs = new HashMap<String, String>();
    for (var line : Objdump.read(code, folder)) {
      int space = line.indexOf(' ');
      theirs.put(line.substring(0, space), withoutTargets(line.substring(space + 1)));
    }
    for (var line : code.lines()) {
      if (line.kind() == Code.Kind.INSTRUCTION) {
        var ours = Objdump.spelled(line);
        int space = ours.indexOf(' ');
        assertThat(theirs.get(ours.substring(0, space)))
            .isEqualTo(withoutTargets(ours.substring(space + 1)));
      }
    }
  }

  /** Labels have names in one text and addresses in the other. */
  private static String withoutTargets(String instruction) {
    return instruction
        .replaceAll("^(j[a-z]+|call) (?!qword).*", "$1 …")
        .replaceAll("\\[rip[+-].*?]", "[rip+…]");
  }

  @ParameterizedTest
  @CsvSource({"quantize,AVX2", "matvec.Q8_0,AVX2", "matvec.Q4_K,VNNI"})
  void listingsStayAsTheyWereReviewed(String kernel, Isa isa) throws IOException {
    try (var library = KernelLibrary.open(isa)) {
      switch (kernel) {
        case "quantize" -> library.quantize(new Activations(32, 32));
        case "matvec.Q8_0" -> library.matVec(Encodings.Q8_0);
        default -> library.matVec(Encodings.Q4_K);
      }
      assertThat(library.code().getFirst().listing()).isEqualTo(golden(kernel, isa));
    }
  }

  private static String golden(String kernel, Isa isa) throws IOException {
    var name = kernel + "." + isa.spelling() + ".txt";
    try (var in = KernelListingTest.class.getResourceAsStream(name)) {
      assertThat(in).as("the golden listing " + name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aKernelIsEmittedOnce() {
    try (var library = KernelLibrary.open(Isa.AVX2)) {
      assertThat(library.matVec(Encodings.F16)).isEqualTo(library.matVec(Encodings.F16));
      assertThat(library.multiplies(Encodings.TQ1_0)).isFalse();
      assertThat(library.code()).hasSize(1);
    }
  }
}
