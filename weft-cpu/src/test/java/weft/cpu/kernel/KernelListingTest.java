package weft.cpu.kernel;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
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
import weft.cpu.kernel.product.WordScales;
import weft.cpu.kernel.recurrent.ShortConv;
import weft.cpu.kernel.rows.Formula;
import weft.cpu.kernel.walk.Meeting;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Routing;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** The text of kernels: what objdump reads in them, and goldens of three. */
class KernelListingTest {
  /** The values that share a scale in activations that some format multiplies. */
  private static final List<Integer> SHARED = List.of(32, 256);

  /** More rows than any kernel of few rows takes. */
  private static final int MANY = 40;

  private static final Pattern JUMP = Pattern.compile("^(j[a-z]+|call) (?!qword)");

  private static final Pattern RELATIVE = Pattern.compile("\\[rip[+-].*?]");

  /** More bytes than any instruction has. */
  private static final int BETWEEN = 32;

  @TempDir Path folder;

  @BeforeEach
  void emittedCodeLoadsHere() {
    Hosts.assumeEmits();
  }

  /** A kernel of every kind that each method of the library can give. */
  private static final Map<String, Consumer<KernelLibrary>> EMITTERS =
      Map.ofEntries(
          entry("plan", library -> library.plan(1, 1).close()),
          entry("meeting", library -> library.meeting(1, new Meeting.Patience(1, 1)).close()),
          entry("quantize", library -> SHARED.forEach(s -> library.quantize(activations(s)))),
          entry("matVec", library -> multiplied(library, library::matVec)),
          entry("matMul", library -> multiplied(library, library::matMul)),
          entry("words", library -> each(WordScales.values(), library::words)),
          entry(
              "wordMatMul",
              library ->
                  multiplied(
                      library, e -> each(WordScales.values(), s -> library.wordMatMul(e, s)))),
          entry(
              "mappedWordMatMul",
              library ->
                  each(
                      Fn.values(),
                      fn -> library.mappedWordMatMul(Encodings.F16, WordScales.PANELS, fn))),
          entry("product", library -> multiplied(library, e -> emitFew(library, e))),
          entry("written", library -> multiplied(library, e -> emitWritten(library, e))),
          entry("embed", library -> Encodings.all().forEach(library::embed)),
          entry("rowNorm", KernelLibrary::rowNorm),
          entry("addNorm", KernelLibrary::addNorm),
          entry("layerNorm", KernelLibrary::layerNorm),
          entry("l2Norm", KernelLibrary::l2Norm),
          entry("route", KernelListingTest::emitRoutes),
          entry("expertProducts", KernelLibrary::expertProducts),
          entry("mix", KernelLibrary::mix),
          entry("peaks", KernelLibrary::peaks),
          entry("elementwise", library -> formulas().forEach(library::elementwise)),
          entry("finishAdd", KernelLibrary::finishAdd),
          entry("finishGate", library -> each(Fn.values(), library::finishGate)),
          entry("finishMap", library -> each(Fn.values(), library::finishMap)),
          entry("store", KernelListingTest::emitStores),
          entry("rope", library -> each(Op.Pairing.values(), library::rope)),
          entry("shortConv", KernelListingTest::emitConvolutions),
          entry("deltaRule", KernelLibrary::deltaRule),
          entry("attend", library -> Encodings.all().forEach(library::attend)),
          entry("attendMany", library -> Encodings.all().forEach(library::attendMany)));

  @Test
  void everyMethodOfTheLibraryIsListed() {
    assertThat(EMITTERS).containsOnlyKeys(LibraryMethods.all());
  }

  @ParameterizedTest
  @EnumSource(Isa.class)
  void objdumpReadsEveryKernelAsItWasWritten(Isa isa) throws Exception {
    Objdump.assumeThere();
    try (var library = KernelLibrary.open(isa)) {
      EMITTERS.values().forEach(emitter -> emitter.accept(library));
      var codes = library.code();
      assertThat(codes.size()).isGreaterThan(100);
      check(codes);
    }
  }

  private static Activations activations(int shared) {
    return new Activations(shared, shared);
  }

  private static <T> void each(T[] values, Consumer<T> use) {
    for (var value : values) use.accept(value);
  }

  private static void multiplied(KernelLibrary library, Consumer<Encoding> use) {
    Encodings.all().stream().filter(library::multiplies).forEach(use);
  }

  /** Few rows have kernels by their number, which the library chooses. */
  private static void emitFew(KernelLibrary library, Encoding encoding) {
    for (int rows = 1; rows <= MANY; rows++) library.product(encoding, rows, 256);
  }

  private static void emitWritten(KernelLibrary library, Encoding encoding) {
    if (!library.meetsApart(encoding)) return;
    for (int rows = 1; rows <= MANY; rows++) library.written(encoding, rows);
  }

  private static void emitRoutes(KernelLibrary library) {
    for (var scoring : Routing.Scoring.values()) {
      for (var weights : Routing.Weights.values()) library.route(scoring, weights);
    }
  }

  private static void emitStores(KernelLibrary library) {
    for (var pairing : Op.Pairing.values()) {
      for (var encoding : Encodings.all()) library.store(encoding, pairing);
    }
  }

  private static void emitConvolutions(KernelLibrary library) {
    for (int taps = 0; taps <= ShortConv.MOST_TAPS; taps++) library.shortConv(taps);
  }

  /** What each factory of formulas makes of every function and sign. */
  private static List<Formula> formulas() {
    var formulas = new ArrayList<Formula>();
    for (var method : Formula.class.getDeclaredMethods()) {
      if (method.getReturnType() != Formula.class || !Modifier.isStatic(method.getModifiers())) {
        continue;
      }
      var of = method.getParameterCount() == 0 ? void.class : method.getParameterTypes()[0];
      var arguments = of == void.class ? new Object[][] {{}} : tuples(of.getEnumConstants());
      for (var argument : arguments) {
        try {
          formulas.add((Formula) method.invoke(null, argument));
        } catch (ReflectiveOperationException e) {
          throw new AssertionError("no formula by " + method, e);
        }
      }
    }
    return formulas;
  }

  private static Object[][] tuples(Object[] constants) {
    return Arrays.stream(constants).map(c -> new Object[] {c}).toArray(Object[][]::new);
  }

  /** All at once, since a process for each takes longer than to read them. */
  private void check(List<Code> codes) throws Exception {
    var theirs = new HashMap<String, String>();
    for (var line : Objdump.read(apart(codes), folder)) {
      int space = line.indexOf(' ');
      theirs.put(line.substring(0, space), withoutTargets(line.substring(space + 1)));
    }
    var wrong = new ArrayList<String>();
    int start = 0;
    for (var code : codes) {
      for (var line : code.lines()) {
        if (line.kind() == Code.Kind.INSTRUCTION) {
          var ours = Objdump.spelled(line);
          var read = theirs.get(Integer.toHexString(start + line.offset()));
          var written = withoutTargets(ours.substring(ours.indexOf(' ') + 1));
          if (!written.equals(read)) wrong.add(written + " is read as " + read);
        }
      }
      start += code.bytes().length + BETWEEN;
    }
    assertThat(wrong).isEmpty();
  }

  /** The bytes of all, with so much of nothing between them that constants end before code. */
  private static byte[] apart(List<Code> codes) {
    var all = new ByteArrayOutputStream();
    var nothing = new byte[BETWEEN];
    Arrays.fill(nothing, (byte) 0x90);
    for (var code : codes) {
      all.writeBytes(code.bytes());
      all.writeBytes(nothing);
    }
    return all.toByteArray();
  }

  /** Labels have names in one text and addresses in the other. */
  private static String withoutTargets(String instruction) {
    var jump = JUMP.matcher(instruction);
    return jump.find() ? jump.group(1) + " …" : RELATIVE.matcher(instruction).replaceAll("[rip+…]");
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
