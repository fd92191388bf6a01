package weft.cpu.emitted;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Optional;
import weft.backend.Step;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Mixture;
import weft.cpu.launch.RoundsLaunch;
import weft.cpu.launch.SharedScratch;
import weft.cpu.residency.ExpertCache;

/**
 * A mixture of experts of which some lie in memory: those are a round's, while the others are read
 * for the rounds behind it. The results are those of {@link EmittedExperts}, bit for bit.
 */
public final class PagedExperts implements RoundsLaunch {
  private final ExpertCalls experts;
  private final ExpertCache.Visit visit;
  private final Optional<NextRouter> next;
  private final int[] rows;

  /** The experts that have addresses. */
  private final BitSet placed = new BitSet();

  private PagedExperts(ExpertCalls experts, ExpertCache.Visit visit, Optional<NextRouter> next) {
    this.experts = experts;
    this.visit = visit;
    this.next = next;
    this.rows = new int[experts.experts()];
    placed.set(0, rows.length);
  }

  /**
   * The emitted form, where every weight has one.
   *
   * @param next the router of the layer behind this one, where it may guess
   * @param mostRows how many rows a step of the program may have
   */
  public static Optional<BoundLaunch> of(
      KernelLibrary library,
      Mixture mixture,
      ExpertCache.Visit visit,
      Optional<NextRouter> next,
      SharedScratch scratch,
      int mostRows) {
    return ExpertCalls.of(library, mixture, scratch, mostRows, ExpertCalls.Regions.APART)
        .map(calls -> new PagedExperts(calls, visit, next));
  }

  @Override
  public String name() {
    return experts.name() + " in slots";
  }

  @Override
  public void begin(Step step) {
    experts.reserve(step);
  }

  @Override
  public void record(Step step, CallList opening, CallList round, CallList closing) {
    if (experts.rows(step) == 0) return;
    experts.open(step, opening);
    next.ifPresent(router -> router.record(experts.x(), step, opening));
    experts.multiply(step, round);
    experts.close(step, closing);
  }

  @Override
  public boolean prepare(Step step, int round) {
    if (experts.rows(step) == 0) return true;
    if (round == 0) visit.begin(chosen());
    boolean isLast = visit.next();
    place();
    // Behind what this layer waits for.
    if (round == 0) next.ifPresent(router -> router.guess(experts.rows(step), visit));
    return isLast;
  }

  /** How many rows use each expert. */
  private int[] chosen() {
    var starts = experts.tables().starts();
    for (int e = 0; e < rows.length; e++) {
      rows[e] = starts.getAtIndex(JAVA_INT, e + 1) - starts.getAtIndex(JAVA_INT, e);
    }
    return rows;
  }

  /** Few of many experts are a round's: only what differs from the round before is written. */
  private void place() {
    var banks = experts.banks();
    for (int part = 0; part < banks.size(); part++) {
      var addresses = banks.get(part).addresses();
      for (int e = placed.nextSetBit(0); e >= 0; e = placed.nextSetBit(e + 1)) {
        addresses.setAtIndex(ADDRESS, e, MemorySegment.NULL);
      }
      for (int e = visit.next(0); e >= 0; e = visit.next(e + 1)) {
        addresses.setAtIndex(ADDRESS, e, visit.weight(e, part));
      }
    }
    placed.clear();
    for (int e = visit.next(0); e >= 0; e = visit.next(e + 1)) placed.set(e);
  }

  @Override
  public void done() {
    visit.end();
  }
}
