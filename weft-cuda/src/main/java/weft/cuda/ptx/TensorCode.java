package weft.cuda.ptx;

import java.util.List;
import java.util.stream.Stream;
import weft.cuda.ptx.Operand.Place;
import weft.cuda.ptx.Operand.Vector;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;

/** Tensor cores, as a warp uses them. */
sealed interface TensorCode extends Code permits PtxWriter {
  /**
   * Four matrices of 8 rows of 16 bytes from shared memory: lanes 8i to 8i + 7 give the rows of
   * matrix i, and lane l gets the l % 4-th word of row l / 4 of each.
   */
  default List<B32> matrices4(Mem from) {
    return matrices(4, "", from);
  }

  /** The same of two matrices; lanes 0 to 15 give rows. */
  default List<B32> matrices2(Mem from) {
    return matrices(2, "", from);
  }

  /** Four matrices turned: of each, lane l gets elements l % 4 * 2 and the next of column l / 4. */
  default List<B32> matrices4Turned(Mem from) {
    return matrices(4, ".trans", from);
  }

  private List<B32> matrices(int count, String turned, Mem from) {
    var to = Stream.generate(this::b32).limit(count).toList();
    var mnemonic = "ldmatrix.sync.aligned.m8n8.x" + count + turned + ".shared.b16";
    op(mnemonic, new Vector(to), new Place(from));
    return to;
  }

  /** {@code sums += a . b}, of 16 rows of 16 values and 8 columns of 16. */
  default void multiply(TensorElement element, List<F32> sums, List<B32> a, List<B32> b) {
    var type = element.word();
    op(
        "mma.sync.aligned.m16n8k16.row.col.f32." + type + "." + type + ".f32",
        new Vector(sums),
        new Vector(a),
        new Vector(b),
        new Vector(sums));
  }
}
