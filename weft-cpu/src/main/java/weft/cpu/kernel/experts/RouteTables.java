package weft.cpu.kernel.experts;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;

/**
 * Which experts the rows of a step use. A use is one of a row's choices; uses are put in the order
 * of their experts, so that an expert's weights are read once for all of them.
 *
 * @param chosen the expert of each use, row by row: 32-bit numbers
 * @param weights how much each use counts, row by row: floats
 * @param starts where each expert's uses begin in the order of experts, and where the last end
 * @param places each use's place in that order, row by row
 * @param sources the row of the use at each place
 */
public record RouteTables(
    MemorySegment chosen,
    MemorySegment weights,
    MemorySegment starts,
    MemorySegment places,
    MemorySegment sources) {
  /** Tables for at most so many uses, in memory of so many bytes that {@code memory} gives. */
  public static RouteTables allocate(LongFunction<MemorySegment> memory, int uses, int experts) {
    return new RouteTables(
        memory.apply(4L * uses),
        memory.apply(4L * uses),
        memory.apply(4L * (experts + 1)),
        memory.apply(4L * uses),
        memory.apply(4L * uses));
  }
}
