package weft.cpu.emitted;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.attention.AttendArguments;
import weft.quant.Encoding;

/**
 * From how many rows on a step is done in another way than with one row less: what must be tried
 * from both sides. It asks the code that decides, so that it follows a decision that moves; a new
 * decision by the number of rows gets a line here.
 *
 * @param team how many workers share the step
 * @param encoding of the matrices
 * @param width values in a row
 * @param outputs how many each matrix has
 * @param kvHeads heads of keys and values
 * @param group query heads that share one of them
 */
public record RowThresholds(
    Isa isa,
    int team,
    Encoding encoding,
    int width,
    List<Integer> outputs,
    int kvHeads,
    int group) {
  public RowThresholds {
    outputs = List.copyOf(outputs);
  }

  /** All of them up to so many rows. */
  public SortedSet<Integer> upTo(int most) {
    var found = new TreeSet<Integer>();
    try (var library = KernelLibrary.open(isa)) {
      var last = way(library, 1);
      for (int rows = 2; rows <= most; rows++) {
        var way = way(library, rows);
        if (!way.equals(last)) found.add(rows);
        last = way;
      }
    }
    return found;
  }

  /** How so many rows are done, as values that are equal for those done alike. */
  private List<Object> way(KernelLibrary library, int rows) {
    var way = new ArrayList<Object>();
    var shares = RowShare.of(rows, team);
    var share = shares.getFirst();
    way.add(shares.size());
    int atOnce = library.atOnce(encoding, share.rows(), width);
    way.add(Math.ceilDiv(share.rows(), atOnce));
    way.add(library.product(encoding, atOnce, width).name());
    for (int count : outputs) {
      way.add(ProjectCuts.isOnePiece(share.rows(), ProjectCuts.share(count, share.workers())));
    }
    int splits = EmittedAttend.splits(kvHeads, group, team);
    way.add(rows <= AttendArguments.blockRows(group, splits));
    return way;
  }
}
