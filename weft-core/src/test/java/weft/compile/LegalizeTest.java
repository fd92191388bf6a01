package weft.compile;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.compile.IrAssert.assertLeaves;
import static weft.compile.IrAssert.assertRewrites;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import weft.ir.GraphText;
import weft.ir.Op;
import weft.lir.Stored;
import weft.lir.Target;

class LegalizeTest {
  /** A device that takes what the predicate says. */
  private record Device(Predicate<Op> taken) implements Target {
    @Override
    public String name() {
      return "abacus";
    }

    @Override
    public boolean takes(Op op, Stored weights) {
      return taken.test(op);
    }
  }

  private static final Legalize SIMPLE =
      new Legalize(new Device(op -> !(op instanceof Op.Composite)), Stored.PLAIN);

  @Test
  void expandsUntilTheTargetTakesEverything() {
    assertRewrites(
        SIMPLE,
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = weight gate f32[4,8]
        %3 = weight up f32[4,8]
        %4 = weight gate.b f32[4]
        %5 = weight up.b f32[4]
        %6 = project Norm(%1 eps=1.0E-5 offset=1.0) %0 [%2 %3] [%4 %5] Gate(SILU)
        output y %6
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight norm f32[8]
        %2 = weight gate f32[4,8]
        %3 = weight up f32[4,8]
        %4 = weight gate.b f32[4]
        %5 = weight up.b f32[4]
        %6 = rmsnorm %0 %1 eps=1.0E-5 offset=1.0
        %7 = linear %6 %2
        %8 = zip ADD %7 %4
        %9 = linear %6 %3
        %10 = zip ADD %9 %5
        %11 = map SILU %8
        %12 = zip MUL %11 %10
        output y %12
        """);
  }

  @Test
  void joinsPartsAndAddsTheResidual() {
    assertRewrites(
        SIMPLE,
        """
        %0 = input x f32[T,8]
        %1 = weight a f32[4,8]
        %2 = weight b f32[2,8]
        %3 = input stream f32[T,6]
        %4 = project None() %0 [%1 %2] [] Add(%3)
        %5 = softcap %4 cap=2.0
        output y %5
        """,
        """
        %0 = input x f32[T,8]
        %1 = weight a f32[4,8]
        %2 = weight b f32[2,8]
        %3 = input stream f32[T,6]
        %4 = linear %0 %1
        %5 = linear %0 %2
        %6 = concat [%4 %5]
        %7 = zip ADD %6 %3
        %8 = scale %7 by=0.5
        %9 = map TANH %8
        %10 = scale %9 by=2.0
        output y %10
        """);
  }

  @Test
  void undoesTheFusionsOfStateAndNorm() {
    assertRewrites(
        SIMPLE,
        """
        %0 = input x f32[T,2,8]
        %1 = input positions i32[T]
        %2 = constant [1.0 0.1]
        %3 = ropeattend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %0 %0 %0 Scores(scale=0.5 softCap=0.0) %1 %2 HALVES ropeScale=1.0
        %4 = weight w f32[8]
        %5 = addnorm %0 %3 %4 eps=1.0E-6 offset=0.0
        output y %5
        """,
        """
        %0 = input x f32[T,2,8]
        %1 = input positions i32[T]
        %2 = constant [1.0 0.1]
        %3 = rope %0 %1 %2 HALVES scale=1.0
        %4 = rope %0 %1 %2 HALVES scale=1.0
        %5 = attend KeyValue(kv heads=2 keyDim=8 valueDim=8 window=16) %3 %4 %0 Scores(scale=0.5 softCap=0.0)
        %6 = weight w f32[8]
        %7 = rmsnorm %5 %6 eps=1.0E-6 offset=0.0
        %8 = zip ADD %7 %0
        output y %8
        """);
  }

  @Test
  void leavesWhatTheTargetTakes() {
    assertLeaves(
        new Legalize(new Device(op -> true), Stored.PLAIN),
        """
        %0 = input gate f32[T,8]
        %1 = input up f32[T,8]
        %2 = glu SILU %0 %1
        output y %2
        """);
  }

  @Test
  void aMissingKernelIsASentenceWithOpTypesAndTarget() {
    var noAttention = new Legalize(new Device(op -> !(op instanceof Op.L2Norm)), Stored.PLAIN);
    var graph = GraphText.parse("%0 = input x f32[T,8]\n%1 = l2norm %0 eps=1.0\noutput y %1");
    assertThatThrownBy(() -> noAttention.run(graph))
        .isInstanceOf(CompileException.class)
        .hasMessageContaining("the abacus backend has no kernel for l2norm of [f32[T,8]]")
        .hasMessageContaining("use another --backend");
  }
}
