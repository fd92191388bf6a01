package weft.cpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.FinishArguments;
import weft.cpu.kernel.rows.RowNormArguments;
import weft.ir.Fn;

/** Norms, residuals and gates against their formulas, at every level of this machine. */
class RowKernelsTest {
  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  @ParameterizedTest
  @MethodSource("levels")
  void normsEqualTheFormula(Isa isa) {
    try (var rig = new Rig(isa)) {
      for (int n : new int[] {32, 64, 96, 2048}) {
        int rows = 3;
        var x = rig.randomFloats(rows * n, 2);
        var weight = rig.randomFloats(n, 1);
        var out = rig.allocate(4L * rows * n);
        var block = rig.allocate(RowNormArguments.BYTES);
        RowNormArguments.ofRows(
                PlainRows.packed(rig.floats(x), n),
                rig.floats(weight),
                n,
                1e-5f,
                PlainRows.packed(out, n))
            .write(block);
        rig.library.rowNorm().run(block, 0, 1, MemorySegment.NULL);
        rig.library.rowNorm().run(block, 1, rows, MemorySegment.NULL);
        var expected = new float[rows * n];
        for (int r = 0; r < rows; r++) {
          double squares = 0;
          for (int i = 0; i < n; i++) squares += (double) x[r * n + i] * x[r * n + i];
          double scale = 1 / Math.sqrt(squares / n + 1e-5);
          for (int i = 0; i < n; i++)
            expected[r * n + i] = (float) (x[r * n + i] * scale * weight[i]);
        }
        assertThat(out.toArray(ValueLayout.JAVA_FLOAT))
            .containsExactly(expected, Offset.offset(1e-5f));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void finishesEqualTheFormula(Isa isa) {
    try (var rig = new Rig(isa)) {
      int rows = 2;
      int n = 87;
      var a = rig.randomFloats(rows * n, 6);
      var b = rig.randomFloats(rows * n, 1);
      var aBias = rig.randomFloats(n, 1);
      var bBias = rig.randomFloats(n, 1);
      var out = rig.allocate(4L * rows * n);
      var block = rig.allocate(FinishArguments.BYTES);
      new FinishArguments(
              PlainRows.packed(rig.floats(a), n),
              rig.floats(aBias),
              PlainRows.packed(rig.floats(b), n),
              rig.floats(bBias),
              PlainRows.packed(out, n),
              rows)
          .write(block);
      rig.library.finishAdd().run(block, 0, 16, MemorySegment.NULL);
      rig.library.finishAdd().run(block, 16, n, MemorySegment.NULL);
      var expected = new float[rows * n];
      for (int i = 0; i < expected.length; i++) expected[i] = a[i] + aBias[i % n] + b[i];
      assertThat(out.toArray(ValueLayout.JAVA_FLOAT))
          .containsExactly(expected, Offset.offset(1e-5f));
      for (var fn : Fn.values()) {
        rig.library.finishGate(fn).run(block, 0, n, MemorySegment.NULL);
        for (int i = 0; i < expected.length; i++) {
          expected[i] = fn.apply(a[i] + aBias[i % n]) * (b[i] + bBias[i % n]);
        }
        var got = out.toArray(ValueLayout.JAVA_FLOAT);
        for (int i = 0; i < expected.length; i++) {
          float room = 5e-6f * Math.max(1, Math.abs(expected[i]));
          assertThat(got[i]).as(fn.name()).isCloseTo(expected[i], Offset.offset(room));
        }
        rig.library.finishMap(fn).run(block, 0, n, MemorySegment.NULL);
        got = out.toArray(ValueLayout.JAVA_FLOAT);
        for (int i = 0; i < expected.length; i++) {
          float mapped = fn.apply(a[i] + aBias[i % n]);
          float room = 5e-6f * Math.max(1, Math.abs(mapped));
          assertThat(got[i]).as(fn.name()).isCloseTo(mapped, Offset.offset(room));
        }
      }
    }
  }
}
