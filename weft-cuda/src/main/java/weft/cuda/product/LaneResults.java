package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * Finishes sums as tensor cores leave them, of up to 64 rows of activations: of each eight rows a
 * lane has two, and of each of these the outputs of two rows of weights, or of the one output whose
 * weights both are.
 *
 * @param rows of activations of a block, of which {@code CTAID_Z} is the number
 * @param parts that each row is the sum of; the second ones come behind all rows
 */
record LaneResults(PtxWriter w, ProductParameters p, int rows, int parts) {
  /** A result of a lane; what is added to it or decides about it is of places that exist. */
  private record Place(B32 row, B32 output, F32 sum, F32 up, B32 existing) {}

  /**
   * Writes them.
   *
   * @param output the lane's first output; the other, if there is one, is eight behind it
   */
  void write(B32 output, B32 lane, List<List<F32>> sums) {
    w.note("results: two rows of each eight, two outputs or one of two weights");
    var product = p.product();
    var outputs = product.isGated() ? List.of(output) : List.of(output, w.add(output, imm(8)));
    var column = w.shl(w.and(lane, imm(3)), imm(1));
    var firstRow = w.mad(w.read(Special.CTAID_Z), imm(rows), column);
    var lastRow = w.sub(p.rows(), imm(1));
    var last = imm(product.outputs() - 1);
    var places = new ArrayList<Place>();
    for (int side = 0; side < outputs.size(); side++) {
      var existing = w.minUnsigned(outputs.get(side), last);
      var bias = p.bias(p.bias(), existing);
      var upBias = product.isGated() ? p.bias(p.upBias(), existing) : bias;
      for (int t = 0; t < rows / 8; t++) {
        for (int i = 0; i < 2; i++) {
          var sum = w.add(added(sums, t, 2 * side + i), bias);
          var up = product.isGated() ? w.add(added(sums, t, 2 + i), upBias) : sum;
          var row = w.add(firstRow, imm(8 * t + i));
          places.add(new Place(row, outputs.get(side), sum, up, existing));
        }
      }
    }
    // All are on their way before the first is waited for.
    var residuals = new ArrayList<F32>();
    for (var place : places) {
      residuals.addAll(p.residuals(w.minUnsigned(place.row, lastRow), place.existing, 1));
    }
    for (int i = 0; i < places.size(); i++) {
      var place = places.get(i);
      var result =
          p.result(place.sum, place.up, residuals.isEmpty() ? place.sum : residuals.get(i));
      var isAsked =
          w.and(
              w.isUnsigned(Compare.LT, place.row, p.rows()),
              w.isUnsigned(Compare.LE, place.output, last));
      var to = Mem.global(p.place(place.row, place.output));
      w.guarded(isAsked, () -> w.store(to, result));
    }
  }

  /** The sum of both parts where there are two. */
  private F32 added(List<List<F32>> sums, int tile, int at) {
    var sum = sums.get(tile).get(at);
    return parts == 1 ? sum : w.add(sum, sums.get(tile + rows / 8).get(at));
  }
}
