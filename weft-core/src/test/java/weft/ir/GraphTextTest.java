package weft.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GraphTextTest {
  private static final String EVERY_OP =
      """
      %0 = input tokens i32[T] : i32[T]
      %1 = weight token_embd f32[32,8] : f32[32,8]
      %2 = embed %1 %0 : f32[T,8]
      %3 = weight "a name, \\"quoted\\"" f32[8] : f32[8]
      %4 = rmsnorm %2 %3 eps=1.0E-5 offset=1.0 : f32[T,8]
      %5 = weight w f32[8,8] : f32[8,8]
      %6 = linear %4 %5 : f32[T,8]
      %7 = heads %6 count=2 : f32[T,2,4]
      %8 = constant [1.0 0.01] : f32[2]
      %9 = rope %7 %0 %8 HALVES scale=1.0 : f32[T,2,4]
      %10 = attend KeyValue(kv heads=2 keyDim=4 valueDim=4 window=16) %9 %9 %7 Scores(scale=0.5 softCap=0.0) : f32[T,2,4]
      %11 = merge %10 : f32[T,8]
      %12 = project Norm(%3 eps=1.0E-6 offset=0.0) %11 [%5 %5] [] Gate(SILU) : f32[T,8]
      %13 = project None() %12 [%5] [%3] Add(%2) : f32[T,8]
      %14 = slice %13 from=0 to=4 : f32[T,4]
      %15 = concat [%14 %14] : f32[T,8]
      %16 = zip ADD %15 %3 : f32[T,8]
      %17 = input wanted i32[W] : i32[W]
      %18 = rows %16 %17 : f32[W,8]
      %19 = softcap %18 cap=30.0 : f32[W,8]
      %20 = weight exps f32[4,6,8] : f32[4,6,8]
      %21 = weight down f32[4,8,6] : f32[4,8,6]
      %22 = slice %18 from=0 to=4 : f32[W,4]
      %23 = experts %18 %22 %20 %20 %21 SILU Routing(SOFTMAX used=2 RENORMALIZED scale=1.0) : f32[W,8]
      %24 = weight conv f32[8,4] : f32[8,4]
      %25 = shortconv Conv(conv taps=3 channels=8) %2 %24 : f32[T,8]
      %26 = ropeattend KeyValue(kv2 heads=2 keyDim=4 valueDim=4 window=2147483647) %7 %7 %7 Scores(scale=0.5 softCap=30.0) %0 %8 NEIGHBOURS ropeScale=1.5 : f32[T,2,4]
      %27 = l2norm %26 eps=1.0E-6 : f32[T,2,4]
      %28 = slice %2 from=0 to=2 : f32[T,2]
      %29 = map SIGMOID %28 : f32[T,2]
      %30 = deltarule Delta(delta heads=2 keyDim=4 valueDim=4) %27 %27 %7 %29 %29 TILED : f32[T,2,4]
      %31 = merge %30 : f32[T,8]
      %32 = glu GELU_ERF %31 %25 : f32[T,8]
      %33 = addnorm %2 %32 %3 eps=1.0E-6 offset=1.0 : f32[T,8]
      %34 = scale %33 by=-0.5 : f32[T,8]
      %35 = cast %34 BF16 : bf16[T,8]
      %36 = layernorm %34 %3 %3 eps=1.0E-6 : f32[T,8]
      %37 = allreduce %36 members=2 : f32[T,8]
      %38 = allgather %37 members=2 : f32[T,16]
      output logits %19
      """;

  @Test
  void printsAndParsesBackToTheSameGraph() {
    var graph = GraphText.parse(EVERY_OP);
    assertThat(GraphText.print(graph)).isEqualTo(EVERY_OP);
    assertThat(GraphText.parse(GraphText.print(graph))).isEqualTo(graph);
  }

  @Test
  void theTextAboveHasEveryOp() {
    assertThat(GraphText.parse(EVERY_OP).values().stream().map(v -> v.op().mnemonic()))
        .containsAll(Op.mnemonics());
  }

  @Test
  void namesSurviveWhateverIsInThem() {
    var odd =
        List.of("", " ", "a b", "\"", "\\", "line\nbreak", "carriage\rreturn", "%1 : [x]", "ü");
    var graph = new Graph.Builder();
    for (var name : odd) {
      var weight = graph.add(new Op.Weight(name, Type.f32(2)));
      graph.output("out " + name, weight);
    }
    var built = graph.build();
    assertThat(GraphText.parse(GraphText.print(built))).isEqualTo(built);
  }

  @Test
  void mutatedTextIsRefusedOrAGraphNothingElse() {
    var random = new SplittableRandom(3);
    int refused = 0;
    for (int i = 0; i < 4_000; i++) {
      int at = random.nextInt(EVERY_OP.length());
      int end = Math.min(EVERY_OP.length(), at + random.nextInt(6));
      var piece = String.valueOf((char) (32 + random.nextInt(96))).repeat(random.nextInt(3));
      var mutated = EVERY_OP.substring(0, at) + piece + EVERY_OP.substring(end);
      try {
        GraphText.parse(mutated);
      } catch (IrException e) {
        refused++;
      } catch (RuntimeException e) {
        throw new AssertionError("a text that breaks the parser:\n" + mutated, e);
      }
    }
    assertThat(refused).isGreaterThan(2_000);
  }

  @Test
  void faultsAreSentencesWithThePlace() {
    assertThatThrownBy(() -> GraphText.parse("%0 = mapp SILU %1"))
        .isInstanceOf(IrException.class)
        .hasMessageContaining("no op is called mapp");
    assertThatThrownBy(() -> GraphText.parse("%0 = map SILU %1"))
        .isInstanceOf(IrException.class)
        .hasMessageContaining("%1 is not defined");
    assertThatThrownBy(() -> GraphText.parse("%0 = input x f32[T,8]\n%1 = map SWISH %0"))
        .isInstanceOf(IrException.class)
        .hasMessageContaining("SWISH is none of [SILU");
    assertThatThrownBy(() -> GraphText.parse("%0 = input x f32[T,8]\n%1 = heads %0 count=3"))
        .isInstanceOf(IrException.class)
        .hasMessageContaining("8 columns do not split into 3 heads");
    assertThatThrownBy(() -> GraphText.parse("%0 = input x f32[T,8]\n%1 = map SILU %0 : f32[T,9]"))
        .isInstanceOf(IrException.class)
        .hasMessageContaining("infers f32[T,8]");
  }

  @Test
  void aSlotHasOneWriter() {
    assertThatThrownBy(
            () ->
                GraphText.parse(
                    """
                    %0 = input x f32[T,8]
                    %1 = weight w f32[8,4]
                    %2 = shortconv Conv(c taps=3 channels=8) %0 %1
                    %3 = shortconv Conv(c taps=3 channels=8) %2 %1
                    """))
        .isInstanceOf(IrException.class)
        .hasMessageContaining("slot c");
  }
}
