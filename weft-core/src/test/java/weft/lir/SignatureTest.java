package weft.lir;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.compile.Pipeline;
import weft.ir.GraphText;
import weft.ir.Op;

/** A program that is sound, but not of the graph that is asked for. */
class SignatureTest {
  private static final Bounds BOUNDS = new Bounds(4, 2);

  /** What is not changed below is not in here. */
  private static final String GRAPH =
      """
      %0 = weight table f32[32,8]
      %1 = input tokens i32[T]
      %2 = embed %0 %1
      %3 = weight conv f32[8,4]
      %4 = shortconv Conv(c taps=3 channels=8) %2 %3
      %5 = input wanted i32[W]
      %6 = rows %4 %5
      output logits %6
      """;

  private record Everything() implements Target {
    @Override
    public String name() {
      return "everything";
    }

    @Override
    public boolean takes(Op op, Stored weights) {
      return true;
    }
  }

  private static Program program(String graph, Bounds bounds) {
    return Pipeline.of(new Everything(), Stored.PLAIN, Set.of())
        .compile(GraphText.parse(graph), bounds);
  }

  private static Signature signature() {
    return Signature.of(GraphText.parse(GRAPH), BOUNDS, 64);
  }

  @Test
  void theGraphsOwnProgramHasIt() {
    signature().require(program(GRAPH, BOUNDS));
  }

  @Test
  void otherBoundsAreRefused() {
    assertThatThrownBy(() -> signature().require(program(GRAPH, new Bounds(4, 3))))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("its bounds are");
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "output logits | output login | its outputs are",
        "output logits %6 | output logits %4 | its outputs are",
        "table f32[32,8] | table f32[33,8] | it reads tensor table f32[33,8]",
        "weight table | weight tables | it reads tensor tables",
        "Conv(c | Conv(d | its slots are",
        "wanted i32[W] | positions i32[W] | an input that no step brings",
        "rows %4 %5 | rows %4 %1 | an index that is not wanted",
        "embed %0 %1 | embed %0 %5 | an index that is not tokens",
      })
  void anotherModelsProgramIsRefused(String from, String to, String complaint) {
    var graph = GRAPH.replaceFirst(Pattern.quote(from), to);
    if (from.startsWith("embed")) graph = orderedForWanted(graph);
    var program = program(graph, BOUNDS);
    assertThatThrownBy(() -> signature().require(program))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(complaint);
  }

  /** A value stands before its use. */
  private static String orderedForWanted(String graph) {
    var input = "%5 = input wanted i32[W]\n";
    return input + graph.replace(input, "").replace("rows %4 %5", "scale %4 by=2.0");
  }
}
