package weft.cuda.kernel;

import java.util.List;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;

/**
 * How tensor cores are used by a tile of {@link AttendTile}: how a stage's positions lie in shared
 * memory, and what is done with them. Sums are lists of a lane's four in each eight columns: two of
 * its first query, two of its second.
 */
sealed interface TileCores permits WarpTile, GroupTile {
  /** Where sixteen bytes of a position are, which begin with its values at {@code memory}. */
  Mem place(B32 memory, B32 position, B32 sixteen, int width);

  /** What threads wrote to shared memory is there for products once they have met. */
  void settle();

  /** Scores of positions whose keys begin at {@code keys}. */
  void score(TileQueries queries, B32 keys, List<List<F32>> scores);

  /** Adds values that begin at {@code values}, by the weights of their positions. */
  void add(List<List<F32>> weights, B32 values, List<List<F32>> sums);
}
