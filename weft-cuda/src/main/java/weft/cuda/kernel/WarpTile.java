package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;

import java.util.List;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.TensorElement;

/**
 * Tensor cores as each warp uses them by itself: positions are rows of halves with 16 bytes
 * between, so that eight of them are in all banks, and go through registers.
 *
 * @param positions of a stage
 * @param keyRows where a lane's rows of four matrices of keys begin, from the first of all
 * @param valueRows the same of values
 */
record WarpTile(PtxWriter w, int positions, int keyDim, int valueDim, B32 keyRows, B32 valueRows)
    implements TileCores {
  private static final int VECTOR = 16;

  static WarpTile of(PtxWriter w, B32 lane, int positions, int keyDim, int valueDim) {
    var upper = w.shr(lane, imm(4));
    var odd = w.and(w.shr(lane, imm(3)), imm(1));
    var keys = rows(w.called("key_rows"), w, lane, odd, upper, keyDim);
    var values = rows(w.called("value_rows"), w, lane, upper, odd, valueDim);
    return new WarpTile(w, positions, keyDim, valueDim, keys, values);
  }

  /** The other matrices are eight rows or 16 bytes on. */
  private static B32 rows(
      PtxWriter to, PtxWriter w, B32 lane, B32 isRight, B32 isBelow, int width) {
    var row = w.add(w.and(lane, imm(7)), w.shl(isBelow, imm(3)));
    return to.mad(row, imm(pitch(width)), w.shl(isRight, imm(4)));
  }

  /** Bytes from row to row: an odd number of vectors. */
  static int pitch(int width) {
    return width * Short.BYTES + VECTOR;
  }

  @Override
  public Mem place(B32 memory, B32 position, B32 sixteen, int width) {
    return Mem.shared(w.mad(position, imm(pitch(width)), w.mad(sixteen, imm(VECTOR), memory)));
  }

  @Override
  public void settle() {}

  @Override
  public void score(TileQueries queries, B32 keys, List<List<F32>> scores) {
    var from = Mem.shared(w.add(keyRows, keys));
    for (int k = 0; k < keyDim; k += 16) {
      var query = queries.factors(k);
      for (int n = 0; n < positions; n += 16) {
        var matrices = w.matrices4(from.plus(n * pitch(keyDim) + 2 * k));
        w.multiply(TensorElement.F16, scores.get(n / 8), query, matrices.subList(0, 2));
        w.multiply(TensorElement.F16, scores.get(n / 8 + 1), query, matrices.subList(2, 4));
      }
    }
  }

  @Override
  public void add(List<List<F32>> weights, B32 values, List<List<F32>> sums) {
    var from = Mem.shared(w.add(valueRows, values));
    for (int n = 0; n < weights.size(); n += 2) {
      var factors = TileQueries.halves(w, weights.get(n), weights.get(n + 1));
      for (int d = 0; d < valueDim; d += 16) {
        var turned = w.matrices4Turned(from.plus(8 * n * pitch(valueDim) + 2 * d));
        w.multiply(TensorElement.F16, sums.get(d / 8), factors, turned.subList(0, 2));
        w.multiply(TensorElement.F16, sums.get(d / 8 + 1), factors, turned.subList(2, 4));
      }
    }
  }
}
