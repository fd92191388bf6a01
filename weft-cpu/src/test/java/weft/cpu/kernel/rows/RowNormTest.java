package weft.cpu.kernel.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.HeadRows;

/** Norms of rows and of heads that lie apart, of any width, at every level of this machine. */
class RowNormTest {
  private static final float EPS = 1e-5f;

  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  @ParameterizedTest
  @MethodSource("levels")
  void normsOfStridedHeadsEqualTheFormula(Isa isa) {
    for (int n : new int[] {1, 5, 8, 16, 17, 31, 32, 48, 64, 80, 127, 256}) {
      for (int heads : new int[] {1, 3}) {
        for (var kind : RowNorm.Kind.values()) check(isa, kind, n, heads);
      }
    }
  }

  private static void check(Isa isa, RowNorm.Kind kind, int n, int heads) {
    int rows = 3;
    int headStride = n + 2;
    int rowStride = heads * headStride + 1;
    try (var rig = new Rig(isa)) {
      var x = rig.randomFloats(rows * rowStride, 2);
      var weight = rig.randomFloats(n, 1);
      var residual = rig.randomFloats(rows * heads * n, 1);
      var out = rig.allocate(4L * rows * heads * n);
      var block = rig.allocate(RowNormArguments.BYTES);
      new RowNormArguments(
              new HeadRows(rig.floats(x), 4L * rowStride, 4L * headStride),
              heads,
              rig.floats(weight),
              n,
              EPS,
              HeadRows.packed(rig.floats(residual), heads, n),
              HeadRows.packed(out, heads, n))
          .write(block);
      var kernel =
          switch (kind) {
            case RMS -> rig.library.rowNorm();
            case ADD_RMS -> rig.library.addNorm();
            case LAYER -> rig.library.layerNorm();
            case L2 -> rig.library.l2Norm();
          };
      kernel.run(block, 0, 2, MemorySegment.NULL);
      kernel.run(block, 2, (long) rows * heads, MemorySegment.NULL);
      var expected = new float[rows * heads * n];
      for (int unit = 0; unit < rows * heads; unit++) {
        int at = unit / heads * rowStride + unit % heads * headStride;
        double squares = 0;
        double mean = 0;
        if (kind == RowNorm.Kind.LAYER) for (int i = 0; i < n; i++) mean += x[at + i] / (double) n;
        for (int i = 0; i < n; i++) squares += (x[at + i] - mean) * (x[at + i] - mean);
        for (int i = 0; i < n; i++) {
          int to = unit * n + i;
          expected[to] =
              switch (kind) {
                case RMS -> (float) (x[at + i] / Math.sqrt(squares / n + EPS) * weight[i]);
                case ADD_RMS ->
                    (float) (x[at + i] / Math.sqrt(squares / n + EPS) * weight[i] + residual[to]);
                case LAYER ->
                    (float)
                        ((x[at + i] - mean) / Math.sqrt(squares / n + EPS) * weight[i]
                            + residual[to]);
                case L2 -> (float) (x[at + i] / Math.sqrt(squares + EPS));
              };
        }
      }
      assertThat(out.toArray(ValueLayout.JAVA_FLOAT))
          .as("%s of %d heads of %d", kind, heads, n)
          .containsExactly(expected, Offset.offset(1e-5f));
    }
  }
}
