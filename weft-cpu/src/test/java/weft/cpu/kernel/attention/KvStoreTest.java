package weft.cpu.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.HeadRows;
import weft.ir.Op;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Keys, values and queries as attention wants them, at every level of this machine. */
class KvStoreTest {
  /** The last of a page: rows behind it go to the next. */
  private static final int FIRST = 127;

  private static final float ROPE_SCALE = 1.3f;
  private static final float SCALE = 0.25f;

  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  /** The sizes of one launch; rows lie wider than their heads need. */
  private record Shape(int rows, int kvHeads, int group, int keyDim, int valueDim, int pairs) {
    int qWidth() {
      return kvHeads * group * (keyDim + 1) + 3;
    }

    int kWidth() {
      return kvHeads * keyDim + 5;
    }

    int vWidth() {
      return kvHeads * valueDim;
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void turnsAndStoresEveryRowAndHead(Isa isa) {
    var shapes =
        new Shape[] {
          new Shape(1, 1, 1, 32, 32, 16),
          new Shape(3, 2, 3, 64, 96, 32),
          new Shape(2, 3, 1, 96, 32, 13),
          new Shape(2, 1, 4, 128, 64, 0),
          new Shape(1, 2, 2, 32, 32, 5)
        };
    for (var shape : shapes) {
      for (var pairing : Op.Pairing.values()) {
        check(isa, shape, pairing, Encodings.F32, 1e-6f);
        check(isa, shape, pairing, Encodings.F16, 1e-3f);
        check(isa, shape, pairing, Encodings.Q8_0, 2e-2f);
      }
    }
  }

  private void check(
      Isa isa, Shape s, Op.Pairing pairing, Encoding encoding, float storedTolerance) {
    try (var rig = new Rig(isa)) {
      var q = rig.randomFloats(s.rows * s.qWidth(), 1);
      var k = rig.randomFloats(s.rows * s.kWidth(), 1);
      var v = rig.randomFloats(s.rows * s.vWidth(), 1);
      var cos = rig.randomFloats(s.rows * s.pairs, 1);
      var sin = rig.randomFloats(s.rows * s.pairs, 1);
      long valueBytes = encoding.bytes(s.valueDim);
      var pages = new StoredPages(encoding, s.kvHeads, s.keyDim, s.valueDim);
      var table = pages.of(rig::allocate, FIRST, FIRST + s.rows);
      var queries = rig.allocate(4L * s.rows * s.kvHeads * s.group * s.keyDim);
      var arguments =
          new KvStoreArguments(
              new HeadRows(rig.floats(q), 4L * s.qWidth(), 4L * (s.keyDim + 1)),
              new HeadRows(rig.floats(k), 4L * s.kWidth(), 4L * s.keyDim),
              new HeadRows(rig.floats(v), 4L * s.vWidth(), 4L * s.valueDim),
              new HeadSizes(s.kvHeads, s.group, s.keyDim, s.valueDim),
              s.pairs == 0
                  ? RopeAngles.NONE
                  : new RopeAngles(
                      rig.floats(cos), rig.floats(sin), 4L * s.pairs, s.pairs, ROPE_SCALE),
              SCALE,
              pages.part(table, Integer.MAX_VALUE, FIRST),
              queries);
      var block = rig.allocate(KvStoreArguments.BYTES);
      arguments.write(block);
      var scratch = rig.allocate(arguments.scratchBytes());
      var kernel = rig.library.store(encoding, pairing).orElseThrow();
      int units = s.rows * s.kvHeads;
      kernel.run(block, 0, units / 2, scratch);
      kernel.run(block, units / 2, units, scratch);

      for (int row = 0; row < s.rows; row++) {
        for (int head = 0; head < s.kvHeads; head++) {
          var key = new float[s.keyDim];
          System.arraycopy(k, row * s.kWidth() + head * s.keyDim, key, 0, s.keyDim);
          turn(key, cos, sin, row, s.pairs, pairing);
          int position = FIRST + row;
          var page = table.page(position);
          assertThat(decoded(encoding, page, pages.keyAt(head, position), s.keyDim))
              .as("key of %s %s %s", s, pairing, encoding)
              .containsExactly(key, Offset.offset(storedTolerance * 4));
          var value = new float[s.valueDim];
          System.arraycopy(v, row * s.vWidth() + head * s.valueDim, value, 0, s.valueDim);
          var expected = rig.allocate(valueBytes);
          encoding.encode(value, 0, s.valueDim, expected, 0);
          assertThat(page.asSlice(pages.valueAt(head, position), valueBytes).mismatch(expected))
              .as("value of %s %s", s, encoding)
              .isEqualTo(-1);
        }
        for (int head = 0; head < s.kvHeads * s.group; head++) {
          var query = new float[s.keyDim];
          System.arraycopy(q, row * s.qWidth() + head * (s.keyDim + 1), query, 0, s.keyDim);
          turn(query, cos, sin, row, s.pairs, pairing);
          for (int i = 0; i < s.keyDim; i++) query[i] *= SCALE;
          long at = ((long) row * s.kvHeads * s.group + head) * s.keyDim * 4;
          assertThat(queries.asSlice(at, 4L * s.keyDim).toArray(ValueLayout.JAVA_FLOAT))
              .containsExactly(query, Offset.offset(1e-5f));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void turnsHeadsAlone(Isa isa) {
    int rows = 2;
    int heads = 3;
    int dim = 27;
    for (var pairing : Op.Pairing.values()) {
      for (int pairs : new int[] {1, 8, 13}) {
        try (var rig = new Rig(isa)) {
          var x = rig.randomFloats(rows * heads * dim, 1);
          var cos = rig.randomFloats(rows * pairs, 1);
          var sin = rig.randomFloats(rows * pairs, 1);
          var out = rig.allocate(4L * x.length);
          var block = rig.allocate(RopeArguments.BYTES);
          new RopeArguments(
                  HeadRows.packed(rig.floats(x), heads, dim),
                  heads,
                  dim,
                  new RopeAngles(rig.floats(cos), rig.floats(sin), 4L * pairs, pairs, ROPE_SCALE),
                  HeadRows.packed(out, heads, dim))
              .write(block);
          rig.library.rope(pairing).run(block, 0, 1, MemorySegment.NULL);
          rig.library.rope(pairing).run(block, 1, rows * heads, MemorySegment.NULL);
          for (int unit = 0; unit < rows * heads; unit++) {
            var head = Arrays.copyOfRange(x, unit * dim, (unit + 1) * dim);
            turn(head, cos, sin, unit / heads, pairs, pairing);
            assertThat(out.asSlice(4L * unit * dim, 4L * dim).toArray(ValueLayout.JAVA_FLOAT))
                .as("%s of %d pairs", pairing, pairs)
                .containsExactly(head, Offset.offset(1e-5f));
          }
        }
      }
    }
  }

  private static float[] decoded(Encoding encoding, MemorySegment from, long at, int count) {
    var out = new float[count];
    encoding.decode(from, at, out, 0, count);
    return out;
  }

  private static void turn(
      float[] x, float[] cos, float[] sin, int row, int pairs, Op.Pairing pairing) {
    for (int i = 0; i < pairs; i++) {
      int a = pairing == Op.Pairing.HALVES ? i : 2 * i;
      int b = pairing == Op.Pairing.HALVES ? i + pairs : 2 * i + 1;
      float c = cos[row * pairs + i] * ROPE_SCALE;
      float s = sin[row * pairs + i] * ROPE_SCALE;
      float before = x[a];
      x[a] = before * c - x[b] * s;
      x[b] = x[b] * c + before * s;
    }
  }
}
