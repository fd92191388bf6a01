package weft.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weft.ir.DType;
import weft.ir.Dim;
import weft.ir.GraphText;
import weft.ir.IrException;
import weft.ir.Type;
import weft.lir.Bounds;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;
import weft.lir.ProgramException;
import weft.lir.Region.Lifetime;

class ScheduleTest {
  private static final Bounds BOUNDS = new Bounds(4, 2);

  private static Program schedule(String graph) {
    return Schedule.of(GraphText.parse(graph), BOUNDS, 64);
  }

  private static List<String> kinds(List<Launch> launches) {
    return launches.stream().map(l -> l.op().mnemonic()).toList();
  }

  @Test
  void leavesAreOperandsAndEveryOtherOpALaunch() {
    var program =
        schedule(
            """
            %0 = weight table f32[32,8]
            %1 = input tokens i32[T]
            %2 = embed %0 %1
            %3 = constant [1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0]
            %4 = zip MUL %2 %3
            output y %4
            """);
    assertThat(program)
        .hasToString(
            """
            bounds tokens=4 wanted=2
            alignment 64
            region id=0 offset=0 bytes=128 STEP
            region id=1 offset=128 bytes=128 STEP
            step View(buffer=0 offset=0 [8 1] f32[T,8]) = embed %0 %1 with [Weight(table f32[32,8]) Input(tokens i32[T])]
            step View(buffer=1 offset=0 [8 1] f32[T,8]) = zip MUL %0 %1 with [View(buffer=0 offset=0 [8 1] f32[T,8]) Constant([1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0] f32[8])]
            output y View(buffer=1 offset=0 [8 1] f32[T,8])
            """);
  }

  @Test
  void headsSlicesAndMergesOfWholeHeadsAreViews() {
    var program =
        schedule(
            """
            %0 = input x f32[T,12]
            %1 = map SILU %0
            %2 = slice %1 from=4 to=12
            %3 = heads %2 count=2
            %4 = merge %3
            %5 = slice %3 from=1 to=3
            output heads %3
            output merged %4
            output cut %5
            """);
    assertThat(kinds(program.steps())).containsExactly("map");
    // Buffer 0 holds what the step brings.
    assertThat(program.outputs())
        .containsEntry("heads", view(4, List.of(12, 4, 1), 2, 4))
        .containsEntry("merged", view(4, List.of(12, 1), 8))
        .containsEntry("cut", view(5, List.of(12, 4, 1), 2, 2));
    assertThat(program.outputs().get("heads").hasContiguousRows()).isTrue();
    assertThat(program.outputs().get("cut").hasContiguousRows()).isFalse();
    assertThat(program.outputs().get("merged").isContiguous()).isFalse();
  }

  private static Operand.View view(int offset, List<Integer> strides, int... row) {
    var dims = new ArrayList<Dim>();
    dims.add(Bounds.TOKENS);
    for (int size : row) dims.add(Dim.of(size));
    return new Operand.View(1, offset, strides, new Type(DType.F32, dims));
  }

  @Test
  void aMergeOfCutHeadsMovesThem() {
    var program =
        schedule(
            """
            %0 = input x f32[T,12]
            %1 = map SILU %0
            %2 = heads %1 count=3
            %3 = slice %2 from=1 to=3
            %4 = merge %3
            %5 = map EXP %4
            output y %5
            """);
    assertThat(kinds(program.steps())).containsExactly("map", "merge", "map");
  }

  @Test
  void aRenamingOfALeafMovesIt() {
    var program =
        schedule(
            """
            %0 = weight w f32[4,8]
            %1 = slice %0 from=2 to=6
            output w %1
            """);
    assertThat(kinds(program.setup())).containsExactly("slice");
  }

  @Test
  void rowsThatTheStepBringsAreABufferLikeAnyOther() {
    var program =
        schedule(
            """
            %0 = input x f32[T,4]
            %1 = heads %0 count=2
            %2 = input x f32[T,4]
            %3 = zip ADD %0 %2
            output heads %1
            output sum %3
            """);
    assertThat(program)
        .hasToString(
            """
            bounds tokens=4 wanted=2
            alignment 64
            region id=0 offset=0 bytes=64 STEP
            region id=1 offset=64 bytes=64 STEP
            step View(buffer=1 offset=0 [4 1] f32[T,4]) = zip ADD %0 %1 with [View(buffer=0 offset=0 [4 1] f32[T,4]) View(buffer=0 offset=0 [4 1] f32[T,4])]
            input x View(buffer=0 offset=0 [4 1] f32[T,4])
            output heads View(buffer=0 offset=0 [4 2 1] f32[T,2,2])
            output sum View(buffer=1 offset=0 [4 1] f32[T,4])
            """);
  }

  @Test
  void whatDependsOnWeightsAloneRunsAtLoad() {
    var program =
        schedule(
            """
            %0 = constant [1.0 0.5]
            %1 = weight factors f32[2]
            %2 = zip DIV %0 %1
            %3 = input x f32[T,2,4]
            %4 = input positions i32[T]
            %5 = rope %3 %4 %2 HALVES scale=1.0
            output y %5
            """);
    assertThat(kinds(program.setup())).containsExactly("zip");
    assertThat(kinds(program.steps())).containsExactly("rope");
    var table = program.setup().getFirst().result();
    assertThat(program.regions().get(table.buffer()).lifetime()).isEqualTo(Lifetime.PROGRAM);
    assertThat(program.bytes(Lifetime.PROGRAM)).isEqualTo(64);
    assertThat(program.steps().getFirst().operands()).contains(table);
  }

  @Test
  void aStateOpRunsEachStepWhateverItReads() {
    var program =
        schedule(
            """
            %0 = weight x f32[3,8]
            %1 = weight w f32[8,4]
            %2 = shortconv Conv(c taps=3 channels=8) %0 %1
            output y %2
            """);
    assertThat(program.setup()).isEmpty();
    assertThat(kinds(program.steps())).containsExactly("shortconv");
    assertThat(program.slots()).extracting(slot -> slot.name()).containsExactly("c");
  }

  @Test
  void anOutputThatNothingComputesIsASentence() {
    assertThatThrownBy(() -> schedule("%0 = weight w f32[4,8]\noutput y %0"))
        .isInstanceOf(CompileException.class)
        .hasMessageContaining("output %0 is weight, which nothing computes");
  }

  @Test
  void anAxisThatNoStepBindsIsASentence() {
    assertThatThrownBy(() -> schedule("%0 = input x f32[B,8]\n%1 = map SILU %0\noutput y %1"))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("axis B is not one that a step binds (T, W)");
    assertThatThrownBy(() -> GraphText.parse("%0 = input x f32[8,T]\n%1 = heads %0 count=2"))
        .isInstanceOf(IrException.class)
        .hasMessageContaining("axis T is symbolic here");
  }
}
