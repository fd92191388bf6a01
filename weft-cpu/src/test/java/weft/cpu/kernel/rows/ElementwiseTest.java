package weft.cpu.kernel.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.HeadRows;
import weft.ir.Bin;
import weft.ir.Fn;

/** Formulas over rows of odd widths, spread and gathered operands, at every level. */
class ElementwiseTest {
  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  /** An element of the result, by row and column. */
  @FunctionalInterface
  private interface Truth {
    float at(int row, int column);
  }

  private static void check(
      Rig rig,
      Formula formula,
      int rows,
      ElementwiseArguments.Cut cut,
      List<ElementwiseArguments.Source> sources,
      List<Float> numbers,
      Truth truth) {
    var out = rig.allocate(4L * rows * cut.width());
    var block = rig.allocate(ElementwiseArguments.BYTES);
    var to = new HeadRows(out, 4L * cut.width(), 4L * cut.piece());
    new ElementwiseArguments(cut, to, sources, numbers).write(block);
    var kernel = rig.library.elementwise(formula);
    long units = (long) rows * cut.count();
    kernel.run(block, 0, units / 2, MemorySegment.NULL);
    kernel.run(block, units / 2, units, MemorySegment.NULL);
    var expected = new float[rows * cut.width()];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = truth.at(i / cut.width(), i % cut.width());
    }
    var got = out.toArray(ValueLayout.JAVA_FLOAT);
    for (int i = 0; i < expected.length; i++) {
      float room = 2e-6f * Math.max(1, Math.abs(expected[i]));
      assertThat(got[i])
          .as("%s at %d of rows of %d", formula, i, cut.width())
          .isCloseTo(expected[i], Offset.offset(room));
    }
  }

  /** Rows that lie further apart than they are wide. */
  private static ElementwiseArguments.Source rows(Rig rig, float[] x, int stride, int piece) {
    return ElementwiseArguments.Source.of(new HeadRows(rig.floats(x), 4L * stride, 4L * piece));
  }

  @ParameterizedTest
  @MethodSource("levels")
  void everyFunctionEqualsItsDefinition(Isa isa) {
    int rows = 2;
    for (int width : new int[] {1, 7, 16, 33, 100}) {
      int stride = width + 3;
      for (var fn : Fn.values()) {
        try (var rig = new Rig(isa)) {
          var x = rig.randomFloats(rows * stride, 6);
          x[0] = -100;
          x[stride] = 30;
          check(
              rig,
              Formula.map(fn),
              rows,
              new ElementwiseArguments.Cut(width, 32),
              List.of(rows(rig, x, stride, 32)),
              List.of(),
              (row, column) -> fn.apply(x[row * stride + column]));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void noNumberStaysNone(Isa isa) {
    try (var rig = new Rig(isa)) {
      for (var fn : Fn.values()) {
        var out = rig.allocate(4);
        var block = rig.allocate(ElementwiseArguments.BYTES);
        new ElementwiseArguments(
                new ElementwiseArguments.Cut(1, 1),
                HeadRows.packed(out, 1, 1),
                List.of(rows(rig, new float[] {Float.NaN}, 1, 1)),
                List.of())
            .write(block);
        rig.library.elementwise(Formula.map(fn)).run(block, 0, 1, MemorySegment.NULL);
        assertThat(out.get(ValueLayout.JAVA_FLOAT, 0)).as(fn.name()).isNaN();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void zipsSpreadTheSecondOperand(Isa isa) {
    int rows = 3;
    int heads = 2;
    int dim = 21;
    int width = heads * dim;
    for (var bin : Bin.values()) {
      try (var rig = new Rig(isa)) {
        var a = rig.randomFloats(rows * width, 1);
        var b = rig.randomFloats(rows * width, 1);
        for (int i = 0; i < b.length; i++) b[i] += Math.copySign(1, b[i]);
        var cut = new ElementwiseArguments.Cut(width, 16);
        var left = rows(rig, a, width, 16);
        check(
            rig,
            Formula.zip(bin),
            rows,
            cut,
            List.of(left, rows(rig, b, width, 16)),
            List.of(),
            (r, c) -> bin.apply(a[r * width + c], b[r * width + c]));
        check(
            rig,
            Formula.zip(bin),
            rows,
            cut,
            List.of(left, rows(rig, b, 0, 16)),
            List.of(),
            (r, c) -> bin.apply(a[r * width + c], b[c]));
        var byHead = new ElementwiseArguments.Cut(width, dim);
        var leftHeads = rows(rig, a, width, dim);
        check(
            rig,
            Formula.zip(bin),
            rows,
            byHead,
            List.of(leftHeads, rows(rig, b, 0, 0)),
            List.of(),
            (r, c) -> bin.apply(a[r * width + c], b[c % dim]));
        check(
            rig,
            Formula.zipSpread(bin),
            rows,
            byHead,
            List.of(leftHeads, rows(rig, b, heads, 1)),
            List.of(),
            (r, c) -> bin.apply(a[r * width + c], b[r * heads + c / dim]));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void gatesScalesAndCaps(Isa isa) {
    int rows = 2;
    int width = 45;
    try (var rig = new Rig(isa)) {
      var a = rig.randomFloats(rows * width, 3);
      var b = rig.randomFloats(rows * width, 1);
      var cut = new ElementwiseArguments.Cut(width, 512);
      var sources = List.of(rows(rig, a, width, 512), rows(rig, b, width, 512));
      for (var fn : Fn.values()) {
        check(
            rig,
            Formula.glu(fn),
            rows,
            cut,
            sources,
            List.of(),
            (r, c) -> fn.apply(a[r * width + c]) * b[r * width + c]);
      }
      var one = sources.subList(0, 1);
      check(
          rig, Formula.scale(), rows, cut, one, List.of(0.37f), (r, c) -> a[r * width + c] * 0.37f);
      float cap = 2.5f;
      check(
          rig,
          Formula.softCap(),
          rows,
          cut,
          one,
          List.of(1 / cap, cap),
          (r, c) -> (float) (cap * Math.tanh(a[r * width + c] / cap)));
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void copiesGatherRowsAndHeads(Isa isa) {
    int heads = 3;
    int dim = 5;
    int headStride = 9;
    int rowStride = heads * headStride + 2;
    int width = heads * dim;
    int[] chosen = {4, 0, 3};
    try (var rig = new Rig(isa)) {
      var x = rig.randomFloats(5 * rowStride, 1);
      var numbers = rig.allocate(4L * chosen.length);
      MemorySegment.copy(chosen, 0, numbers, ValueLayout.JAVA_INT, 0, chosen.length);
      var source =
          new ElementwiseArguments.Source(
              new HeadRows(rig.floats(x), 4L * rowStride, 4L * headStride), numbers);
      check(
          rig,
          Formula.copy(),
          chosen.length,
          new ElementwiseArguments.Cut(width, dim),
          List.of(source),
          List.of(),
          (r, c) -> x[chosen[r] * rowStride + c / dim * headStride + c % dim]);
    }
  }
}
