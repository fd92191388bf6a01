package weft.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.compile.IrAssert.assertRewrites;

import org.junit.jupiter.api.Test;
import weft.ir.GraphText;
import weft.ir.Slot;
import weft.ir.Verifier;
import weft.lir.Stored;
import weft.quant.Encodings;

class DivideTest {
  private static final Divide IN_TWO = new Divide(2, Stored.PLAIN);

  @Test
  void cutsAFeedForwardByHiddenRowsAndAddsUpBehindIt() {
    assertRewrites(
        IN_TWO,
        """
        %0 = input x f32[T,8]
        %1 = weight gate f32[12,8]
        %2 = linear %0 %1
        %3 = map SILU %2
        %4 = weight up f32[12,8]
        %5 = linear %0 %4
        %6 = zip MUL %3 %5
        %7 = weight down f32[8,12]
        %8 = linear %6 %7
        %9 = zip ADD %0 %8
        output y %9
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight share.rows.0:12/2.gate f32[6,8]
        %2 = linear %0 %1
        %3 = map SILU %2
        %4 = weight share.rows.0:12/2.up f32[6,8]
        %5 = linear %0 %4
        %6 = zip MUL %3 %5
        %7 = weight share.columns.0:12/2.down f32[8,6]
        %8 = linear %6 %7
        %9 = allreduce %8 members=2
        %10 = zip ADD %0 %9
        output y %10
        """);
  }

  /** Four heads of queries over two of keys, the latter with a bias. */
  private static final String ATTENTION =
      """
      %0 = input x f32[T,8]
      %1 = weight q f32[16,8]
      %2 = linear %0 %1
      %3 = heads %2 count=4
      %4 = weight k f32[8,8]
      %5 = linear %0 %4
      %6 = weight k.bias f32[8]
      %7 = zip ADD %5 %6
      %8 = heads %7 count=2
      %9 = weight v f32[8,8]
      %10 = linear %0 %9
      %11 = heads %10 count=2
      %12 = attend KeyValue(kv heads=2 keyDim=4 valueDim=4 window=16) %3 %8 %11 Scores(scale=0.5 softCap=0.0)
      %13 = merge %12
      %14 = weight o f32[8,16]
      %15 = linear %13 %14
      output y %15
      """;

  @Test
  void cutsAttentionByHeadsOfKeysAndTheQueriesThatUseThem() {
    assertRewrites(
        IN_TWO,
        ATTENTION,
        """
        %0 = input x f32[T,8]
        %1 = weight share.rows.0:16/2.q f32[8,8]
        %2 = linear %0 %1
        %3 = heads %2 count=2
        %4 = weight share.rows.0:8/2.k f32[4,8]
        %5 = linear %0 %4
        %6 = weight share.columns.0:8/2.k.bias f32[4]
        %7 = zip ADD %5 %6
        %8 = heads %7 count=1
        %9 = weight share.rows.0:8/2.v f32[4,8]
        %10 = linear %0 %9
        %11 = heads %10 count=1
        %12 = attend KeyValue(kv heads=1 keyDim=4 valueDim=4 window=16) %3 %8 %11 Scores(scale=0.5 softCap=0.0)
        %13 = merge %12
        %14 = weight share.columns.0:16/2.o f32[8,8]
        %15 = linear %13 %14
        %16 = allreduce %15 members=2
        output y %16
        """);
  }

  @Test
  void membersBeyondTheHeadsOfKeysShareThem() {
    assertRewrites(
        new Divide(4, Stored.PLAIN),
        ATTENTION,
        """
        %0 = input x f32[T,8]
        %1 = weight share.rows.0:16/4.q f32[4,8]
        %2 = linear %0 %1
        %3 = heads %2 count=1
        %4 = weight share.rows.0:8/2.k f32[4,8]
        %5 = linear %0 %4
        %6 = weight share.columns.0:8/2.k.bias f32[4]
        %7 = zip ADD %5 %6
        %8 = heads %7 count=1
        %9 = weight share.rows.0:8/2.v f32[4,8]
        %10 = linear %0 %9
        %11 = heads %10 count=1
        %12 = attend KeyValue(kv heads=1 keyDim=4 valueDim=4 window=16) %3 %8 %11 Scores(scale=0.5 softCap=0.0)
        %13 = merge %12
        %14 = weight share.columns.0:16/4.o f32[8,4]
        %15 = linear %13 %14
        %16 = allreduce %15 members=4
        output y %16
        """);
  }

  @Test
  void headsOfKeysThatDoNotCutAreWholeOnEachMember() {
    var division = new Divide(3, Stored.PLAIN).divide(GraphText.parse(ATTENTION));
    assertThat(division.left()).containsEntry("o", "2 heads of keys do not cut in 3");
    assertThat(division.graph().slots()).containsExactly(new Slot.KeyValue("kv", 2, 4, 4, 16));
  }

  /** One projection gives each head of keys with the two of values that use it, as one group. */
  private static final String GROUPED =
      """
      %0 = input x f32[T,8]
      %1 = weight kv f32[24,8]
      %2 = linear %0 %1
      %3 = heads %2 count=2
      %4 = slice %3 from=0 to=4
      %5 = slice %3 from=4 to=12
      %6 = merge %5
      %7 = heads %6 count=4
      %8 = weight beta f32[4,8]
      %9 = linear %0 %8
      %10 = deltarule Delta(d heads=4 keyDim=4 valueDim=4) %4 %4 %7 %9 %9 BLOCKED
      %11 = merge %10
      %12 = weight out f32[8,16]
      %13 = linear %11 %12
      %14 = zip ADD %0 %13
      output y %14
      """;

  @Test
  void whatMembersWouldAddUpTwiceIsWhole() {
    var graph = GraphText.parse(GROUPED);
    assertThat(IN_TWO.divide(graph).left()).isEmpty();
    assertThat(IN_TWO.run(graph).toString())
        .contains("share.rows.0:24/2.kv", "share.columns.0:16/2.out", "allreduce");
    var inFour = new Divide(4, Stored.PLAIN).divide(graph);
    assertThat(inFour.graph().toString()).doesNotContain("share", "allreduce");
    assertThat(inFour.left())
        .containsEntry("out", "it comes in groups with heads of keys, which do not cut in 4");
  }

  @Test
  void cutsADeltaRuleWhoseKeysServeValuesInTurn() {
    assertRewrites(
        IN_TWO,
        """
        %0 = input x f32[T,8]
        %1 = weight qkv f32[32,8]
        %2 = linear %0 %1
        %3 = weight conv f32[32,4]
        %4 = shortconv Conv(c taps=3 channels=32) %2 %3
        %5 = slice %4 from=0 to=8
        %6 = heads %5 count=2
        %7 = slice %4 from=8 to=16
        %8 = heads %7 count=2
        %9 = slice %4 from=16 to=32
        %10 = heads %9 count=4
        %11 = weight beta f32[4,8]
        %12 = linear %0 %11
        %13 = weight dt f32[4]
        %14 = zip ADD %12 %13
        %15 = deltarule Delta(d heads=4 keyDim=4 valueDim=4) %6 %8 %10 %14 %12 TILED
        %16 = merge %15
        %17 = weight out f32[8,16]
        %18 = linear %16 %17
        output y %18
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight share.rows.0:8/2.qkv f32[4,8]
        %2 = weight share.rows.8:8/2.qkv f32[4,8]
        %3 = weight share.rows.16:8/2.qkv f32[4,8]
        %4 = weight share.rows.24:8/2.qkv f32[4,8]
        %5 = project None() %0 [%1 %2 %3 %4] [] None()
        %6 = weight share.rows.0:8/2+8:8/2+16:8/2+24:8/2.conv f32[16,4]
        %7 = shortconv Conv(c taps=3 channels=16) %5 %6
        %8 = slice %7 from=0 to=4
        %9 = heads %8 count=1
        %10 = slice %7 from=4 to=8
        %11 = heads %10 count=1
        %12 = slice %7 from=8 to=16
        %13 = heads %12 count=2
        %14 = weight share.rows.0:2/2.beta f32[1,8]
        %15 = weight share.rows.2:2/2.beta f32[1,8]
        %16 = project None() %0 [%14 %15] [] None()
        %17 = weight share.columns.0:2/2+2:2/2.dt f32[2]
        %18 = zip ADD %16 %17
        %19 = deltarule Delta(d heads=2 keyDim=4 valueDim=4) %9 %11 %13 %18 %16 TILED
        %20 = merge %19
        %21 = weight share.columns.0:8/2+8:8/2.out f32[8,8]
        %22 = linear %20 %21
        %23 = allreduce %22 members=2
        output y %23
        """);
  }

  @Test
  void expertsAndTheOneForAllTokensAreAddedUpOnce() {
    assertRewrites(
        IN_TWO,
        """
        %0 = input x f32[T,8]
        %1 = weight router f32[4,8]
        %2 = linear %0 %1
        %3 = weight gates f32[4,6,8]
        %4 = weight ups f32[4,6,8]
        %5 = weight downs f32[4,8,6]
        %6 = experts %0 %2 %3 %4 %5 SILU Routing(SOFTMAX used=2 RENORMALIZED scale=1.0)
        %7 = weight up f32[12,8]
        %8 = linear %0 %7
        %9 = weight down f32[8,12]
        %10 = linear %8 %9
        %11 = weight one f32[1,8]
        %12 = linear %0 %11
        %13 = zip MUL %10 %12
        %14 = zip ADD %6 %13
        output y %14
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight router f32[4,8]
        %2 = linear %0 %1
        %3 = weight share.rows.0:6/2.gates f32[4,3,8]
        %4 = weight share.rows.0:6/2.ups f32[4,3,8]
        %5 = weight share.columns.0:6/2.downs f32[4,8,3]
        %6 = experts %0 %2 %3 %4 %5 SILU Routing(SOFTMAX used=2 RENORMALIZED scale=1.0)
        %7 = weight share.rows.0:12/2.up f32[6,8]
        %8 = linear %0 %7
        %9 = weight share.columns.0:12/2.down f32[8,6]
        %10 = linear %8 %9
        %11 = weight one f32[1,8]
        %12 = linear %0 %11
        %13 = zip MUL %10 %12
        %14 = zip ADD %6 %13
        %15 = allreduce %14 members=2
        output y %15
        """);
  }

  @Test
  void cutsTheVocabularyAndHasAllOfItInTheEnd() {
    assertRewrites(
        IN_TWO,
        """
        %0 = input tokens i32[T]
        %1 = weight embd f32[32,8]
        %2 = embed %1 %0
        %3 = linear %2 %1
        %4 = softcap %3 cap=30.0
        %5 = input wanted i32[W]
        %6 = rows %4 %5
        output logits %6
        output embedding %2
        """,
        """
        %0 = input tokens i32[T]
        %1 = weight embd f32[32,8]
        %2 = embed %1 %0
        %3 = weight share.rows.0:32/2.embd f32[16,8]
        %4 = linear %2 %3
        %5 = softcap %4 cap=30.0
        %6 = input wanted i32[W]
        %7 = rows %5 %6
        %8 = allgather %7 members=2
        output logits %8
        output embedding %2
        """);
  }

  /** A feed-forward whose second weight is packed. */
  private static final String PACKED =
      """
      %0 = input x f32[T,8]
      %1 = weight norm f32[8]
      %2 = weight up f32[768,8]
      %3 = linear %0 %2
      %4 = weight down f32[8,768]
      %5 = linear %3 %4
      %6 = rmsnorm %5 %1 eps=1.0E-5 offset=0.0
      output y %6
      """;

  @Test
  void packedColumnsAreCutBetweenBlocksOrNotAtAll() {
    Stored blocks = name -> name.equals("down") ? Encodings.Q4_K : Encodings.F32;
    var graph = GraphText.parse(PACKED);
    var inTwo = new Divide(2, blocks).divide(graph);
    assertThat(inTwo.left())
        .containsEntry("down", "768 elements do not cut in 2 pieces of multiples of 256");
    assertThat(inTwo.graph().toString()).doesNotContain("share", "allreduce");
    var inThree = new Divide(3, blocks).divide(graph);
    assertThat(inThree.left()).isEmpty();
    assertThat(inThree.graph().toString()).contains("share.columns.0:768/3.down f32[8,256]");
  }

  @Test
  void aNormOverAllHeadsKeepsThemTogether() {
    var graph =
        GraphText.parse(
            """
            %0 = input x f32[T,8]
            %1 = weight q f32[8,8]
            %2 = linear %0 %1
            %3 = weight norm f32[8]
            %4 = rmsnorm %2 %3 eps=1.0E-5 offset=0.0
            %5 = heads %4 count=2
            %6 = attend KeyValue(kv heads=2 keyDim=4 valueDim=4 window=16) %5 %5 %5 Scores(scale=0.5 softCap=0.0)
            %7 = merge %6
            %8 = weight o f32[8,8]
            %9 = linear %7 %8
            %10 = zip ADD %0 %9
            output y %10
            """);
    var division = IN_TWO.divide(graph);
    assertThat(division.graph().toString()).doesNotContain("share", "allreduce");
    assertThat(division.left()).containsEntry("o", "a norm needs whole rows");
  }

  @Test
  void cutsALlamaSoThatItsProgramTypechecks() {
    for (int members : new int[] {2, 4}) {
      var graph = Verifier.verify(new Divide(members, Stored.PLAIN).run(LlamaGraph.of(2)));
      assertThat(graph.toString().lines().filter(l -> l.contains("allreduce"))).hasSize(4);
      assertThat(graph.toString().lines().filter(l -> l.contains("allgather"))).hasSize(1);
      assertThat(graph.output("logits").type().width()).isEqualTo(96);
    }
  }

  @Test
  void aMeshHasSeveralMembers() {
    assertThatThrownBy(() -> new Divide(1, Stored.PLAIN))
        .isInstanceOf(CompileException.class)
        .hasMessageContaining("at least 2 members, got 1");
  }
}
