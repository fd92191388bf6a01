package weft.experts;

import java.time.Duration;

/**
 * What experts in a budget have cost so far.
 *
 * @param hits uses of an expert that lay in memory when its layer chose it
 * @param late uses of an expert that was being read by then, since somebody had guessed it
 * @param misses uses of any other
 * @param guessed experts that were read ahead of their layer
 * @param promotions experts that were read since they were used more often than one that lay there
 * @param bytes that were read in all
 * @param stall how long steps have waited for them
 * @param slots how many experts may lie in memory
 * @param slotBytes what each of them takes
 */
public record Traffic(
    long hits,
    long late,
    long misses,
    long guessed,
    long promotions,
    long bytes,
    Duration stall,
    int slots,
    long slotBytes) {
  /** The share of uses that found their expert in memory. */
  public double hitRate() {
    long uses = hits + late + misses;
    return uses == 0 ? 0 : (double) hits / uses;
  }
}
