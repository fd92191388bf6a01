package weft.cuda.product;

import java.util.function.IntFunction;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.PtxFunction;

/**
 * A kernel and how it is launched.
 *
 * @param grids the grid for so many rows of activations, or uses of experts
 * @param meetings where blocks of a launch of so many rows meet
 */
public record ProductKernel(
    PtxFunction function, IntFunction<Grid> grids, IntFunction<Meeting> meetings) {
  ProductKernel(PtxFunction function, IntFunction<Grid> grids) {
    this(function, grids, _ -> Meeting.NONE);
  }

  public String name() {
    return function.name();
  }

  public Grid grid(int rows) {
    return grids.apply(rows);
  }

  public Meeting meeting(int rows) {
    return meetings.apply(rows);
  }
}
