package weft.cuda.interpret;

import java.util.Arrays;

/**
 * 32 threads. Those that are at the same instruction go together; where they part, those that are
 * behind go first, and so they meet again where the text joins.
 */
final class Warp {
  private enum Waits {
    NO,
    /** For other lanes of the warp. */
    FOR_LANES,
    AT_BARRIER
  }

  /** Turns of a loop after which lanes that are ahead are let run. */
  private static final int PATIENCE = 1000;

  /** What a register holds before it is written; a NaN, as a float. */
  static final int POISON = 0x7FDEAD00;

  private final Kernel kernel;
  private final BlockRun block;
  private final int number;
  final int[] words;
  final long[] wides;
  final int[] preds;

  private int live;

  /** Lanes that have waited for the launches before this one. */
  private int waited;

  private int parts;
  private final int[] places = new int[Slots.LANES];
  private final int[] lanes = new int[Slots.LANES];
  private final Waits[] waits = new Waits[Slots.LANES];
  private Instruction current;
  private int loops;
  private long executed;
  private AsyncCopies copies = new AsyncCopies();
  private GroupProducts products = new GroupProducts(this);

  Warp(Kernel kernel, BlockRun block, int number) {
    this.kernel = kernel;
    this.block = block;
    this.number = number;
    this.current = kernel.code()[0];
    words = new int[kernel.words() * Slots.LANES];
    wides = new long[kernel.wides() * Slots.LANES];
    preds = new int[kernel.preds()];
  }

  /** At the first instruction, with nothing in registers. */
  void begin(int threads) {
    Arrays.fill(words, POISON);
    Arrays.fill(wides, POISON);
    kernel.wordNumbers().forEach((at, value) -> Arrays.fill(words, at, at + Slots.LANES, value));
    kernel.wideNumbers().forEach((at, value) -> Arrays.fill(wides, at, at + Slots.LANES, value));
    kernel.specials().forEach((name, at) -> block.special(name, number, words, at));
    live = threads >= Slots.LANES ? -1 : (1 << threads) - 1;
    parts = 1;
    places[0] = 0;
    lanes[0] = live;
    waits[0] = Waits.NO;
    loops = 0;
    waited = kernel.beginsEarly() ? 0 : -1;
    copies = new AsyncCopies();
    products = new GroupProducts(this);
  }

  /** From here on what earlier launches wrote is there for these lanes. */
  void awaitLast(int lanes) {
    waited |= lanes;
  }

  boolean hasWaited(int lane) {
    return (waited >>> lane & 1) != 0;
  }

  /** A lane that may be ahead of earlier launches does what only those behind them may. */
  void requireWaited(int lane, String does, long address) {
    if (hasWaited(lane)) return;
    throw fault(
        lane,
        "%s global memory at %#x before it has waited for earlier launches"
            .formatted(does, address));
  }

  int number() {
    return number;
  }

  BlockRun block() {
    return block;
  }

  AsyncCopies copies() {
    return copies;
  }

  GroupProducts products() {
    return products;
  }

  boolean isDone() {
    return live == 0;
  }

  int live() {
    return live;
  }

  long executed() {
    return executed;
  }

  /** Who a lane is, and when, for the marks of global memory. */
  long mark(int lane) {
    int thread = number * Slots.LANES + lane;
    return Marks.of(block.launch(), block.number(), thread, block.clocks().stamp(number));
  }

  boolean isOrdered(long mark, int lane) {
    if (mark == 0 || Marks.launch(mark) != (block.launch() & 0xFFFF)) return true;
    if (Marks.block(mark) != block.number()) return kernel.meetsBlocks();
    return block.clocks().isBefore(Marks.thread(mark), Marks.stamp(mark), number, lane);
  }

  PtxFault fault(int lane, String what) {
    return PtxFault.at(
        kernel.name(),
        current.source(),
        "block %s, thread %d %s".formatted(block.place(), number * Slots.LANES + lane, what));
  }

  /** Runs until all lanes wait or are gone, or so many instructions are done; how many were. */
  int run(int budget) {
    int done = 0;
    var code = kernel.code();
    while (done < budget && live != 0) {
      int part = pick();
      if (part < 0) break;
      int stop = parts == 1 ? -1 : nextPlace(places[part]);
      int at = places[part];
      int mask = lanes[part];
      boolean goesOn = true;
      while (goesOn && done < budget && at != stop) {
        var in = code[at];
        current = in;
        int active = mask;
        if (in.guard() >= 0) active &= in.isNegated() ? ~preds[in.guard()] : preds[in.guard()];
        done++;
        executed += Integer.bitCount(active);
        switch (in.kind()) {
          case PLAIN -> {
            if (active != 0) in.step().run(this, active);
            at++;
          }
          case TOGETHER -> {
            if (active == live) {
              in.step().run(this, active);
              at++;
            } else if (parts > 1) {
              waits[part] = Waits.FOR_LANES;
              goesOn = false;
            } else if (active == 0) {
              at++;
            } else {
              throw fault(
                  Integer.numberOfTrailingZeros(active),
                  "of the warp's lanes %08x only %08x take part".formatted(live, active));
            }
          }
          case BRANCH -> {
            if (active == mask) {
              goesOn = parts == 1 || in.target() > at;
              if (in.target() <= at) loops++;
              at = in.target();
            } else if (active == 0) {
              at++;
            } else {
              add(in.target(), active);
              mask &= ~active;
              at++;
              goesOn = false;
            }
          }
          case EXIT -> {
            live &= ~active;
            mask &= ~active;
            at++;
            goesOn = mask != 0;
          }
          case BARRIER -> {
            if (mask != live || active != mask) {
              throw fault(
                  Integer.numberOfTrailingZeros(active),
                  "divergent barrier: of the warp's lanes %08x only %08x are here"
                      .formatted(live, active));
            }
            waits[part] = Waits.AT_BARRIER;
            places[part] = at;
            in.step().run(this, active);
            // The last to come goes on at once.
            at = places[part];
            goesOn = false;
          }
        }
      }
      places[part] = at;
      lanes[part] = mask;
    }
    drop();
    if (live != 0 && done == 0) checkLanes();
    return done;
  }

  /** Lanes wait for lanes that ended or wait elsewhere. */
  private void checkLanes() {
    for (int part = 0; part < parts; part++) {
      if (waits[part] == Waits.AT_BARRIER) return;
    }
    current = kernel.code()[places[0]];
    throw fault(
        Integer.numberOfTrailingZeros(lanes[0]),
        "waits for lanes of its warp that do not come: %08x are here, %08x live"
            .formatted(lanes[0], live));
  }

  private void add(int place, int mask) {
    places[parts] = place;
    lanes[parts] = mask;
    waits[parts] = Waits.NO;
    parts++;
  }

  private void drop() {
    for (int part = parts - 1; part >= 0; part--) {
      lanes[part] &= live;
      if (lanes[part] == 0) remove(part);
    }
  }

  private void remove(int part) {
    parts--;
    places[part] = places[parts];
    lanes[part] = lanes[parts];
    waits[part] = waits[parts];
  }

  /** Joins those at one place, and chooses who runs: mostly those behind. */
  private int pick() {
    drop();
    for (int a = 0; a < parts; a++) {
      for (int b = parts - 1; b > a; b--) {
        if (places[a] == places[b]
            && waits[a] != Waits.AT_BARRIER
            && waits[b] != Waits.AT_BARRIER) {
          lanes[a] |= lanes[b];
          waits[a] = Waits.NO;
          remove(b);
        }
      }
    }
    boolean wantsAhead = parts > 1 && loops > PATIENCE;
    int best = -1;
    for (int part = 0; part < parts; part++) {
      if (waits[part] != Waits.NO) continue;
      if (best < 0 || (wantsAhead ? places[part] > places[best] : places[part] < places[best])) {
        best = part;
      }
    }
    if (wantsAhead) loops = 0;
    // Lanes that alone are left have nobody to wait for.
    if (best < 0 && parts == 1 && waits[0] == Waits.FOR_LANES) {
      waits[0] = Waits.NO;
      return 0;
    }
    return best;
  }

  /** The nearest place ahead where others are. */
  private int nextPlace(int from) {
    int next = Integer.MAX_VALUE;
    for (int part = 0; part < parts; part++) {
      if (places[part] > from) next = Math.min(next, places[part]);
    }
    return next;
  }

  /** All lanes go on behind the barrier. */
  void passBarrier() {
    for (int part = 0; part < parts; part++) {
      if (waits[part] == Waits.AT_BARRIER) {
        waits[part] = Waits.NO;
        places[part]++;
      }
    }
  }

  /** Where the warp is, for a fault that no instruction makes. */
  String whereabouts() {
    var source = kernel.code()[places[0]].source();
    return "line %d, `%s`".formatted(source.line(), source.text());
  }
}
