package weft.lir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.backend.Backend;
import weft.backend.ReferenceBackend;
import weft.compile.LlamaGraph;
import weft.compile.Pipeline;
import weft.ir.GraphText;
import weft.ir.RecordText;

class ProgramTextTest {
  private static final Target TARGET =
      new ReferenceBackend().open(Backend.Options.standard()).target();

  /** A program with every part there is: setup, slots of each kind, views, constants. */
  private static final String EVERY_PART =
      """
      %0 = weight table f32[32,12]
      %1 = input tokens i32[T]
      %2 = embed %0 %1
      %3 = slice %2 from=4 to=12
      %4 = heads %3 count=2
      %5 = constant [1.0 0.01]
      %6 = weight "odd name, \\"quoted\\" with [it]" f32[2]
      %7 = zip DIV %5 %6
      %8 = input positions i32[T]
      %9 = ropeattend KeyValue(kv heads=2 keyDim=4 valueDim=4 window=16) %4 %4 %4 Scores(scale=0.5 softCap=0.0) %8 %7 HALVES ropeScale=1.0
      %10 = merge %9
      %11 = weight conv f32[8,4]
      %12 = shortconv Conv(conv taps=3 channels=8) %10 %11
      %13 = heads %12 count=2
      %14 = slice %12 from=0 to=2
      %15 = deltarule Delta(delta heads=2 keyDim=4 valueDim=4) %13 %13 %13 %14 %14 TILED
      %16 = merge %15
      %17 = weight w f32[3,8]
      %18 = weight norm f32[8]
      %19 = project Norm(%18 eps=1.0E-6 offset=1.0) %16 [%17 %17] [] Gate(GELU_TANH)
      %20 = input wanted i32[W]
      %21 = rows %19 %20
      output logits %21
      output "hidden with [x]" %12
      """;

  private static Program program() {
    return new Pipeline(TARGET, List.of()).compile(GraphText.parse(EVERY_PART), new Bounds(4, 2));
  }

  @Test
  void printsAndParsesBackToTheSameProgram() {
    for (var program :
        List.of(
            program(),
            Pipeline.of(TARGET, Stored.PLAIN, Set.of()).compile(LlamaGraph.of(3), new Bounds(8, 1)),
            Pipeline.of(TARGET, Stored.PLAIN, Set.copyOf(Pipeline.fusions()))
                .compile(LlamaGraph.of(2), new Bounds(1, 1)))) {
      var text = ProgramText.print(program);
      assertThat(ProgramText.parse(text)).isEqualTo(program);
      assertThat(ProgramText.print(ProgramText.parse(text))).isEqualTo(text);
    }
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "bounds tokens=4 | bounds tokens=0 | cannot be",
        "bounds tokens=4 | bounds tokens=400 | a buffer of 192 bytes, expected 19200",
        "region id=0 | region id=1 | at place 0",
        "offset=0 bytes=192 STEP | offset=-64 bytes=192 STEP | at place 0",
        "offset=0 bytes=192 STEP | offset=9223372036854775807 bytes=192 STEP | at place 0",
        "offset=0 bytes=192 STEP | offset=0 bytes=128 STEP | a buffer of 128 bytes, expected 192",
        "offset=0 bytes=192 STEP | offset=0 bytes=1099511627776 STEP | expected 192",
        "offset=0 bytes=192 STEP | offset=4 bytes=192 STEP | at place 0",
        "offset=0 bytes=192 STEP | offset=2000000000 bytes=192 STEP | at place 0",
        "offset=0 bytes=192 STEP | offset=192 bytes=192 STEP | live together and overlap",
        "offset=0 bytes=192 STEP | offset=0 bytes=192 PROGRAM | a buffer of another lifetime",
        "View(buffer=0 | View(buffer=99 | a view of no buffer",
        "View(buffer=0 | View(buffer=-1 | a view of no buffer",
        "[12 1] | [-12 1] | a result that is not all of its buffer",
        "[12 1] | [12] | a result that is not all of its buffer",
        "[12 1] | [2147483647 2147483647] | a result that is not all of its buffer",
        "with [View(buffer=0 offset=4 | with [View(buffer=0 offset=5 | a view beyond its buffer",
        "with [View(buffer=0 offset=4 | with [View(buffer=0 offset=-1 | a view of no buffer",
        "with [View(buffer=0 | with [View(buffer=3 | a view of what is not yet written",
        "View(buffer=1 | View(buffer=0 | a buffer",
        "embed %0 %1 | embed %0 %2 | no operand 2",
        "embed %0 %1 | embed %0 %-1 | no operand -1",
        "embed %0 %1 | embed %1 %0 | parameters that are not the operands",
        "Weight(table f32[32,12]) Input(tokens i32[T]) | Weight(table f32[32,12]) Input(tokens f32[T]) | embed wants a list",
        "embed %0 %1 | input x f32[T,12] | parameters that are not the operands",
        "zip DIV | zip MOD | MOD is none of",
        "slot KeyValue(kv | slot KeyValue(vk | a slot that is not declared",
        "slot KeyValue(kv | slot Conv(conv taps=3 channels=8)x | expected the end",
        "heads=2 keyDim=4 | heads=0 keyDim=4 | kv heads must be at least 1",
        "f32[32,12] | f64[32,12] | no element type is called f64",
        "f32[32,12] | f32[32,13] | the result's type is not the op's",
      })
  void aProgramThatCannotRunIsRefusedInASentence(String from, String to, String complaint) {
    var text = ProgramText.print(program());
    assertThat(text).contains(from);
    var changed = text.replaceFirst(Pattern.quote(from), to);
    assertThatThrownBy(() -> ProgramText.parse(changed))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(complaint);
  }

  @Test
  void linesThatAreCutShortAreRefused() {
    for (var line : List.of("", "step", "setup ", "step x", "bounds", "output", "slot", "?")) {
      assertThatThrownBy(() -> ProgramText.parse("bounds tokens=1 wanted=1\n" + line + "\n"))
          .isInstanceOf(ProgramException.class);
    }
    assertThatThrownBy(() -> ProgramText.parse(""))
        .isInstanceOf(ProgramException.class)
        .hasMessage("0 lines of bounds, not 1");
  }

  @Test
  void mutatedTextIsRefusedOrAProgramNothingElse() {
    var text = ProgramText.print(program());
    var random = new SplittableRandom(7);
    int refused = 0;
    for (int i = 0; i < 6_000; i++) {
      var mutated = mutated(text, random);
      try {
        ProgramText.parse(mutated);
      } catch (ProgramException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("a text that breaks the parser:\n" + mutated, e);
      }
    }
    assertThat(refused).isGreaterThan(3_000);
  }

  /** Every place a region can be moved to, against the definition: who lives when, and where. */
  @Test
  void aRegionMayLieWhereNoneLivesAtItsTimeAndNowhereElse() {
    var program =
        Pipeline.of(TARGET, Stored.PLAIN, Set.of()).compile(LlamaGraph.of(2), new Bounds(3, 2));
    var text = ProgramText.print(program);
    long room = program.bytes(Region.Lifetime.STEP);
    int refused = 0;
    for (var region : program.regions()) {
      if (region.lifetime() != Region.Lifetime.STEP) continue;
      for (long offset = 0; offset <= room; offset += 64) {
        var moved = new Region(region.id(), offset, region.bytes(), region.lifetime());
        var changed =
            text.replace("region " + RecordText.parts(region), "region " + RecordText.parts(moved));
        boolean isFree = isFree(program, moved);
        if (!isFree) refused++;
        if (isFree) assertThat(ProgramText.parse(changed).regions()).contains(moved);
        else assertThatThrownBy(() -> ProgramText.parse(changed)).as("%s", moved).isNotNull();
      }
    }
    assertThat(refused).isGreaterThan(100);
  }

  private static boolean isFree(Program program, Region moved) {
    long room = 0;
    for (var other : program.regions()) {
      if (other.lifetime() != moved.lifetime()) continue;
      room += other.bytes();
      boolean meets = moved.offset() < other.end() && other.offset() < moved.end();
      boolean lives =
          first(program, moved.id()) <= last(program, other.id())
              && first(program, other.id()) <= last(program, moved.id());
      if (other.id() != moved.id() && meets && lives) return false;
    }
    return moved.end() <= room;
  }

  private static int first(Program program, int buffer) {
    int i = 0;
    while (program.steps().get(i).result().buffer() != buffer) i++;
    return i;
  }

  private static int last(Program program, int buffer) {
    if (program.outputs().values().stream().anyMatch(v -> v.buffer() == buffer)) return 1 << 20;
    int last = first(program, buffer);
    for (int i = last; i < program.steps().size(); i++) {
      for (var operand : program.steps().get(i).operands()) {
        if (operand instanceof Operand.View view && view.buffer() == buffer) last = i;
      }
    }
    return last;
  }

  private static String mutated(String text, SplittableRandom random) {
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + 1 + random.nextInt(8));
    return switch (random.nextInt(5)) {
      case 0 -> text.substring(0, at);
      case 1 -> text.substring(0, at) + text.substring(end);
      case 2 -> text.substring(0, at) + (char) (32 + random.nextInt(96)) + text.substring(at + 1);
      case 3 -> shuffledWords(text, random);
      default -> extremeNumber(text, random);
    };
  }

  /** One word of the text in another's place. */
  private static String shuffledWords(String text, SplittableRandom random) {
    var words = new ArrayList<>(List.of(text.split("(?<= )|(?=[ ,\\[\\]()=])")));
    words.set(random.nextInt(words.size()), words.get(random.nextInt(words.size())));
    return String.join("", words);
  }

  private static String extremeNumber(String text, SplittableRandom random) {
    var extremes =
        List.of(
            "0",
            "-1",
            "2147483647",
            "-2147483648",
            "9223372036854775807",
            "99999999999999999999",
            "NaN",
            "1e39");
    var numbers = Pattern.compile("\\d+").matcher(text).results().toList();
    var number = numbers.get(random.nextInt(numbers.size()));
    return text.substring(0, number.start())
        + extremes.get(random.nextInt(extremes.size()))
        + text.substring(number.end());
  }
}
