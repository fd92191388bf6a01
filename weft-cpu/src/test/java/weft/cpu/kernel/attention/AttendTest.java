package weft.cpu.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.PlainRows;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** The emitted attention against the formula, over odd numbers of heads, positions and sizes. */
class AttendTest {
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /** The heads of a launch. */
  private record Heads(int kvHeads, int group, int splits, int keyDim, int valueDim, float cap) {
    int queries() {
      return kvHeads * group;
    }
  }

  /** Some rows of a sequence and what they see. */
  private record Rows(int count, int position, int window) {
    int from(int row) {
      return Math.max(0, position + row - window + 1);
    }

    int positions() {
      return position + count;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 1, 16, 16, 1, 0",
    "F16, 2, 32, 16, 3, 0",
    "F16, 4, 64, 64, 4, 0",
    "F32, 4, 64, 64, 17, 0",
    "F16, 3, 128, 128, 33, 0",
    "F32, 7, 80, 80, 65, 0",
    "F16, 5, 256, 256, 207, 0",
    "F16, 2, 64, 64, 40, 50",
    "Q8_0, 1, 32, 32, 1, 0",
    "Q8_0, 4, 64, 128, 31, 0",
    "Q8_0, 7, 128, 96, 9, 30",
  })
  void oneRowSeesAllBeforeIt(
      String stored, int group, int keyDim, int valueDim, int seen, float cap) {
    check(stored, new Heads(1, group, 1, keyDim, valueDim, cap), new Rows(1, seen - 1, UNBOUNDED));
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 4, 64, 64, 11, 16, 0",
    "F32, 8, 32, 48, 44, 100, 0",
    "F32, 1, 16, 16, 4, 5, 2",
    "Q8_0, 7, 128, 96, 23, 37, 30",
    "F16, 4, 64, 64, 64, 127, 0",
    "F32, 3, 32, 32, 65, 128, 0",
    "F16, 2, 64, 64, 130, 190, 0",
    "Q8_0, 4, 64, 64, 1, 64, 0",
  })
  void aWindowMayBeginInAnyPlaceOfAPage(
      String stored, int group, int keyDim, int valueDim, int window, int position, float cap) {
    check(stored, new Heads(2, group, 1, keyDim, valueDim, cap), new Rows(1, position, window));
  }

  @ParameterizedTest
  @CsvSource({"F32, 1", "F32, 2", "F16, 3", "Q8_0, 2"})
  void unitsMayBeCutAnywhere(String stored, int splits) {
    var heads = new Heads(2, 3, splits, 64, 32, 0);
    check(stored, heads, new Rows(3, 62, UNBOUNDED));
    check(stored, heads, new Rows(4, 70, 9));
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 64, 64, 10, 0, 0",
    "F32, 128, 128, 70, 0, 0",
    "F16, 16, 48, 200, 0, 0",
    "F16, 80, 112, 3, 130, 0",
    "F32, 32, 32, 67, 61, 20",
    "Q8_0, 64, 96, 33, 64, 0",
    "Q8_0, 256, 256, 5, 7, 0",
  })
  void blocksOfRowsSeeWhatIsBeforeEach(
      String stored, int keyDim, int valueDim, int rows, int position, float cap) {
    for (int group : new int[] {1, 2, 3, 7}) {
      check(
          stored,
          new Heads(2, group, Math.min(group, 2), keyDim, valueDim, cap),
          new Rows(rows, position, UNBOUNDED));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 9, 40, 9",
    "F32, 70, 1000, 33",
    "Q8_0, 2, 131, 130",
    "F16, 140, 5, 70",
    "F32, 12, 300, 1",
    "F16, 65, 64, 64",
  })
  void blocksOfRowsSeeTheirWindows(String stored, int rows, int position, int window) {
    check(stored, new Heads(1, 4, 1, 64, 64, 0), new Rows(rows, position, window));
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 4, 1, 64, 150, 37, 2147483647",
    "F16, 2, 2, 128, 97, 300, 2147483647",
    "F16, 7, 1, 64, 70, 64, 2147483647",
    "F16, 1, 1, 64, 200, 50, 70",
    "Q8_0, 4, 1, 64, 150, 37, 2147483647",
    "Q8_0, 8, 3, 256, 40, 500, 130",
    "F32, 4, 1, 64, 150, 37, 2147483647",
    "F32, 3, 1, 80, 90, 100, 33",
  })
  void aRowOfBlocksHasTheSameBitsInWhateverCut(
      String stored, int group, int splits, int dim, int rows, int position, int window) {
    var encoding = Encodings.byName(stored).orElseThrow();
    var heads = new Heads(2, group, splits, dim, dim, 0);
    int blockRows = AttendArguments.blockRows(group, splits);
    for (var isa : Hosts.levels()) {
      try (var rig = new Rig(isa)) {
        var all = new Rows(rows, position, window);
        var pages = new StoredPages(encoding, heads.kvHeads(), dim, dim);
        var table = pages.of(rig::allocate, 0, all.positions());
        for (int head = 0; head < heads.kvHeads(); head++) {
          for (int p = 0; p < all.positions(); p++) {
            pages.storeKey(table, head, p, rig.randomFloats(dim, 1), 0);
            pages.storeValue(table, head, p, rig.randomFloats(dim, 1), 0);
          }
        }
        int width = heads.queries() * dim;
        var q = rig.floats(rig.randomFloats(rows * width, 0.3f));
        var kernel = rig.library.attendMany(encoding).orElseThrow();
        var block = rig.allocate(AttendArguments.BYTES);
        var whole = rig.allocate(4L * rows * width);
        var sizes = new HeadSizes(heads.kvHeads(), group, dim, dim);
        for (int cut : new int[] {rows, 1, 2, 5, 16, 33, 64}) {
          var out = cut == rows ? whole : rig.allocate(4L * rows * width);
          for (int from = 0; from < rows; from += cut) {
            long at = 4L * from * width;
            var arguments =
                new AttendArguments(
                    q.asSlice(at),
                    sizes,
                    splits,
                    0,
                    Math.min(cut, rows - from),
                    blockRows,
                    pages.part(table, window, position + from),
                    PlainRows.packed(out.asSlice(at), width));
            arguments.write(block);
            kernel.run(block, 0, arguments.units(), rig.allocate(arguments.scratchBytes()));
          }
          assertThat(out.mismatch(whole))
              .as("%s in cuts of %d at %s", stored, cut, isa)
              .isEqualTo(-1);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 1, 1, 64, 1100, 0, 2147483647",
    "F16, 1, 1, 64, 700, 37, 2147483647",
    "F16, 4, 1, 64, 300, 5, 2147483647",
    "F16, 2, 1, 128, 150, 64, 160",
    "Q8_0, 3, 2, 32, 600, 1, 2147483647",
    "F32, 1, 1, 80, 600, 9, 2147483647",
  })
  void rowsThatSeeEachOtherHaveTheSameBitsInLargerBlocks(
      String stored, int group, int splits, int dim, int rows, int position, int window) {
    var encoding = Encodings.byName(stored).orElseThrow();
    var sizes = new HeadSizes(2, group, dim, dim);
    int larger = AttendArguments.togetherRows(sizes, splits);
    assertThat(larger).isGreaterThan(AttendArguments.blockRows(group, splits));
    for (var isa : Hosts.levels()) {
      try (var rig = new Rig(isa)) {
        int positions = position + rows;
        var pages = new StoredPages(encoding, sizes.kvHeads(), dim, dim);
        var table = pages.of(rig::allocate, 0, positions);
        for (int head = 0; head < sizes.kvHeads(); head++) {
          for (int p = 0; p < positions; p++) {
            pages.storeKey(table, head, p, rig.randomFloats(dim, 1), 0);
            pages.storeValue(table, head, p, rig.randomFloats(dim, 1), 0);
          }
        }
        int width = sizes.kvHeads() * group * dim;
        var q = rig.floats(rig.randomFloats(rows * width, 0.3f));
        var kernel = rig.library.attendMany(encoding).orElseThrow();
        var block = rig.allocate(AttendArguments.BYTES);
        var expected = rig.allocate(4L * rows * width);
        for (int blockRows : new int[] {2, AttendArguments.blockRows(group, splits), larger}) {
          var out = blockRows == 2 ? expected : rig.allocate(4L * rows * width);
          var arguments =
              new AttendArguments(
                  q,
                  sizes,
                  splits,
                  0,
                  rows,
                  blockRows,
                  pages.part(table, window, position, positions - 1),
                  PlainRows.packed(out, width));
          arguments.write(block);
          kernel.run(block, 0, arguments.units(), rig.allocate(arguments.scratchBytes()));
          assertThat(out.mismatch(expected))
              .as("%s in blocks of %d at %s", stored, blockRows, isa)
              .isEqualTo(-1);
        }
      }
    }
  }

  private static void check(String stored, Heads heads, Rows rows) {
    var encoding = Encodings.byName(stored).orElseThrow();
    for (var isa : Hosts.levels()) {
      check(isa, encoding, heads, rows, 1);
      int most = AttendArguments.blockRows(heads.group(), heads.splits());
      for (int block = 2; block <= most; block *= 4) check(isa, encoding, heads, rows, block);
      check(isa, encoding, heads, rows, most);
    }
  }

  private static void check(Isa isa, Encoding encoding, Heads heads, Rows rows, int blockRows) {
    try (var rig = new Rig(isa)) {
      int stored = heads.kvHeads() * rows.positions();
      var k = rig.randomFloats(stored * heads.keyDim(), 1);
      var v = rig.randomFloats(stored * heads.valueDim(), 1);
      var pages = new StoredPages(encoding, heads.kvHeads(), heads.keyDim(), heads.valueDim());
      var table = pages.of(rig::allocate, rows.from(0), rows.positions());
      for (int head = 0; head < heads.kvHeads(); head++) {
        for (int p = rows.from(0); p < rows.positions(); p++) {
          int place = head * rows.positions() + p;
          pages.storeKey(table, head, p, k, place * heads.keyDim());
          pages.storeValue(table, head, p, v, place * heads.valueDim());
        }
      }
      float scale = 1f / (float) Math.sqrt(heads.keyDim());
      var q = rig.randomFloats(rows.count() * heads.queries() * heads.keyDim(), scale);
      // Rows of results lie wider than their heads need.
      int outWidth = heads.queries() * heads.valueDim() + 5;
      var out = rig.allocate(4L * rows.count() * outWidth);
      var arguments =
          new AttendArguments(
              rig.floats(q),
              new HeadSizes(heads.kvHeads(), heads.group(), heads.keyDim(), heads.valueDim()),
              heads.splits(),
              heads.cap(),
              rows.count(),
              blockRows,
              pages.part(table, rows.window(), rows.position()),
              PlainRows.packed(out, outWidth));
      var block = rig.allocate(AttendArguments.BYTES);
      arguments.write(block);
      var scratch = rig.allocate(arguments.scratchBytes());
      var library = rig.library;
      var kernel =
          (blockRows > 1 ? library.attendMany(encoding) : library.attend(encoding)).orElseThrow();
      int units = arguments.units();
      kernel.run(block, 0, units / 3, scratch);
      kernel.run(block, units / 3, units, scratch);
      // Blocks of rows meet what is stored in less than a float as words.
      boolean areWords = blockRows > 1 && encoding.bytes(32) < 32 * Float.BYTES;
      var offset = Offset.offset(areWords ? 8e-4f : 2e-5f);
      for (int row = 0; row < rows.count(); row++) {
        for (int head = 0; head < heads.queries(); head++) {
          long at = 4L * (row * outWidth + head * heads.valueDim());
          assertThat(out.asSlice(at, 4L * heads.valueDim()).toArray(ValueLayout.JAVA_FLOAT))
              .as("row %d head %d of %s in blocks of %d at %s", row, head, encoding, blockRows, isa)
              .containsExactly(formula(heads, rows, row, head, q, k, v), offset);
        }
      }
    }
  }

  private static float[] formula(
      Heads heads, Rows rows, int row, int head, float[] q, float[] k, float[] v) {
    int query = (row * heads.queries() + head) * heads.keyDim();
    int first = head / heads.group() * rows.positions();
    double total = 0;
    var sums = new double[heads.valueDim()];
    for (int position = rows.from(row); position <= rows.position() + row; position++) {
      int place = first + position;
      double dot = 0;
      for (int d = 0; d < heads.keyDim(); d++) {
        dot += (double) q[query + d] * k[place * heads.keyDim() + d];
      }
      if (heads.cap() > 0) dot = heads.cap() * Math.tanh(dot / heads.cap());
      double weight = Math.exp(dot);
      total += weight;
      for (int d = 0; d < sums.length; d++) sums[d] += weight * v[place * sums.length + d];
    }
    var out = new float[sums.length];
    for (int d = 0; d < out.length; d++) out[d] = (float) (sums[d] / total);
    return out;
  }
}
