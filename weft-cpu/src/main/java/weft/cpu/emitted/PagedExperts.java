package weft.cpu.emitted;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

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
  private final int[] starts;

  /** The addresses that each part of an expert has in the kernel's tables, zero for none. */
  private final long[][] placed;

  /** The experts of the last round. */
  private final BitSet last = new BitSet();

  private PagedExperts(ExpertCalls experts, ExpertCache.Visit visit, Optional<NextRouter> next) {
    this.experts = experts;
    this.visit = visit;
    this.next = next;
    this.rows = new int[experts.experts()];
    this.starts = new int[rows.length + 1];
    this.placed = new long[experts.banks().size()][rows.length];
    for (var bank : experts.banks()) bank.addresses().fill((byte) 0);
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
    place(round);
    // Behind what this layer waits for.
    if (round == 0) next.ifPresent(router -> router.guess(experts.rows(step), visit));
    return isLast;
  }

  /** How many rows use each expert. */
  private int[] chosen() {
    MemorySegment.copy(experts.tables().starts(), JAVA_INT, 0, starts, 0, starts.length);
    for (int e = 0; e < rows.length; e++) rows[e] = starts[e + 1] - starts[e];
    return rows;
  }

  /**
   * Of the experts that rows use, those of the round have addresses: the others had their round, or
   * will have. What no row uses stays as it is, so where most experts lie in memory hardly anything
   * is written.
   */
  private void place(int round) {
    if (round == 0) last.clear();
    for (int e = last.nextSetBit(0); e >= 0; e = last.nextSetBit(e + 1)) place(e, false);
    for (int e = visit.waiting(0); e >= 0; e = visit.waiting(e + 1)) place(e, false);
    last.clear();
    for (int e = visit.next(0); e >= 0; e = visit.next(e + 1)) {
      place(e, true);
      last.set(e);
    }
  }

  private void place(int expert, boolean isHere) {
    for (int part = 0; part < placed.length; part++) {
      long address = isHere ? visit.weight(expert, part).address() : 0;
      if (placed[part][expert] == address) continue;
      placed[part][expert] = address;
      experts.banks().get(part).addresses().setAtIndex(JAVA_LONG, expert, address);
    }
  }

  @Override
  public void done() {
    visit.end();
  }
}
