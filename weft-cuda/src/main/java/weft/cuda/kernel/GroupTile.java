package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.wide;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.TensorElement;

/**
 * Tensor cores as four warps use them together ({@code wgmma}): queries and weights are in
 * registers, keys and values in shared memory, where tensor cores read them by themselves and once
 * for all four warps. Positions are rows of {@value #BLOCK} halves, eight sixteens of bytes of
 * which the i-th of row r lies at i xor r % 8; wider ones are several such blocks of all positions.
 *
 * @param positions of a stage
 */
record GroupTile(PtxWriter w, B32 thread, int positions) implements TileCores {
  /** Values of a row of a block. */
  private static final int BLOCK = 64;

  private static final int ROW_BYTES = BLOCK * Short.BYTES;
  private static final int EIGHT_ROWS = 8 * ROW_BYTES;

  /** Where stages begin. */
  static final int MULTIPLE = EIGHT_ROWS;

  /** Whether positions are whole rows. */
  static boolean takes(int width) {
    return width % BLOCK == 0;
  }

  @Override
  public Mem place(B32 memory, B32 position, B32 sixteen, int width) {
    var swizzled = w.xor(w.and(sixteen, imm(7)), w.and(position, imm(7)));
    var row = w.mad(position, imm(ROW_BYTES), w.mad(swizzled, imm(16), memory));
    if (width == BLOCK) return Mem.shared(row);
    return Mem.shared(w.mad(w.shr(sixteen, imm(3)), imm(positions * ROW_BYTES), row));
  }

  @Override
  public void settle() {
    w.sharedFence();
  }

  @Override
  public void score(TileQueries queries, B32 keys, List<List<F32>> scores) {
    var sums = scores.stream().flatMap(List::stream).toList();
    var isTrue = w.is(Compare.EQ, thread, thread);
    var matrix = matrix(keys);
    w.groupFence();
    for (int k = 0; k < queries.width(); k += 16) {
      int beyond = k / BLOCK * positions * ROW_BYTES + k % BLOCK * Short.BYTES;
      var block = w.add(matrix, wide(beyond / 16));
      w.multiplyGroup(TensorElement.F16, sums, queries.factors(k), block, isTrue, 0);
    }
    w.commitGroup();
    w.awaitGroups(0);
  }

  @Override
  public void add(List<List<F32>> weights, B32 values, List<List<F32>> sums) {
    var all = sums.stream().flatMap(List::stream).toList();
    var isTrue = w.is(Compare.EQ, thread, thread);
    var matrix = matrix(values);
    var factors = new ArrayList<List<B32>>();
    for (int n = 0; n < weights.size(); n += 2) {
      factors.add(TileQueries.halves(w, weights.get(n), weights.get(n + 1)));
    }
    w.groupFence();
    for (int n = 0; n < factors.size(); n++) {
      var block = w.add(matrix, wide(2L * n * EIGHT_ROWS / 16));
      w.multiplyGroup(TensorElement.F16, all, factors.get(n), block, isTrue, 1);
    }
    w.commitGroup();
    w.awaitGroups(0);
  }

  /**
   * The descriptor of a stage's keys or values. In sixteens of bytes: bits 0 to 13 the address, 16
   * to 29 the step from block to block, which values have that are wider than one, 32 to 45 the
   * step of eight positions; bits 62 and 63 the swizzle, 1 for that of 128 bytes.
   */
  private B64 matrix(B32 address) {
    long blocks = positions * ROW_BYTES / 16;
    return w.add(
        w.wide(w.shr(address, imm(4))),
        wide(blocks << 16 | (long) (EIGHT_ROWS / 16) << 32 | 1L << 62));
  }
}
