package weft.generate;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a step takes by how many tokens it feeds, learned from the steps that ran: of the last few
 * of each size the median or the least, and between sizes a straight line. Belongs to one thread.
 */
final class StepCost {
  /** Which of the last few counts. */
  enum Typical {
    /** What those who wait for a step should expect. */
    MEDIAN,

    /**
     * What a step takes where nothing comes between, for who compares sizes: a busy machine and a
     * JVM that is still compiling add to all of them, and to rare ones most.
     */
    LEAST
  }

  /** Up to here each number of tokens is a size of its own: most steps of replies are so small. */
  private static final int SMALL = 16;

  /** Of each size so many are remembered; a median of them is deaf to a busy machine. */
  private static final int SAMPLES = 7;

  /** So many of a size are enough to go by. */
  private static final int SURE = 4;

  /** What nothing has confirmed for so many steps is tried again: texts grow, machines change. */
  private static final int STALE = 4096;

  /** What a token more costs at the least, for all that is known. */
  private static final double SLIGHT = 0.05;

  /** By so much a step moves what its size usually takes: a bad minute moves it little. */
  private static final double DRIFT = 0.01;

  /** A size that has not run for so many steps may be forgotten. */
  private static final int FORGIVEN = 64;

  /** Up to so many times what is usual is as usual. */
  private static final double STEADY = 1.1;

  /** So much slower a machine was a slower one. */
  private static final double UNUSUAL = 1.25;

  /** A size is guessed at from one that is known, and not much smaller. */
  private static final double NEAR = 2;

  private static final class Recent {
    private final Typical typical;
    private final long[] nanos = new long[SAMPLES];
    private int count;
    private long last;
    private double tokens;
    private double usual;
    private double strain = 1;
    private long nanosOfOne;

    /** The next smaller size, and what that took when this one last ran. */
    private Optional<Recent> smaller = Optional.empty();

    private double smallerThen;

    /** What is to be expected of it now. */
    private double now;

    private Recent(Typical typical) {
      this.typical = typical;
    }

    /** The first of a size may have compiled its program, and says nothing. */
    private boolean isKnown(long now) {
      return count > 1 && now - last <= STALE;
    }

    /**
     * A size that was rehearsed, or ran behind shorter texts, takes as many times more by now as
     * the one below it does.
     */
    private void grow(long steps) {
      double times =
          steps - last <= FORGIVEN ? 1 : smaller.map(s -> s.now / smallerThen).orElse(1.0);
      now = nanosOfOne * (typical == Typical.MEDIAN ? Math.max(1, times) : 1);
    }

    /** What a size took on a machine that was slower than now would keep it from being tried. */
    private void forgive(long now, double strainNow) {
      if (count > 1 && now - last > FORGIVEN && strain > UNUSUAL * strainNow) count = 1;
    }

    private void add(int fed, long took, long now) {
      if (count > 1 && now - last > STALE) count = 1;
      count++;
      last = now;
      if (count == 1) return;
      nanos[(count - 2) % SAMPLES] = took;
      int known = Math.min(SAMPLES, count - 1);
      tokens = tokens == 0 || known == 1 ? fed : tokens + (fed - tokens) / known;
      long[] sorted = Arrays.copyOf(nanos, known);
      Arrays.sort(sorted);
      // Of two the lesser: a busy machine adds to what a step takes and never takes from it.
      nanosOfOne =
          switch (typical) {
            case MEDIAN -> sorted[(known - 1) / 2];
            case LEAST -> sorted[0];
          };
      if (count <= SAMPLES) usual = nanosOfOne;
      else usual *= took > usual ? 1 + DRIFT : 1 - DRIFT;
    }
  }

  private final Typical typical;
  private final TreeMap<Integer, Recent> bySize = new TreeMap<>();
  private long steps;

  /** How much longer than usual steps take now. */
  private double strain = 1;

  // What is known, in order: asked a thousand times a step.
  private int known;
  private double[] tokens = {};
  private double[] nanos = {};
  private double[] usual = {};
  private long[] lasts = {};

  StepCost(Typical typical) {
    this.typical = typical;
  }

  void ran(int fed, long took) {
    steps++;
    Recent ran = bySize.computeIfAbsent(size(fed), _ -> new Recent(typical));
    ran.add(fed, took, steps);
    if (ran.count > SAMPLES) strain = ran.nanosOfOne / ran.usual;
    ran.strain = strain;
    ran.smaller =
        Optional.ofNullable(bySize.lowerEntry(size(fed)))
            .map(Map.Entry::getValue)
            .filter(below -> below.isKnown(steps));
    ran.smallerThen = ran.smaller.map(below -> below.now).orElse(0.0);
    if (tokens.length < bySize.size()) {
      tokens = new double[2 * bySize.size()];
      nanos = new double[2 * bySize.size()];
      usual = new double[2 * bySize.size()];
      lasts = new long[2 * bySize.size()];
    }
    known = 0;
    for (Recent recent : bySize.values()) {
      recent.forgive(steps, strain);
      if (recent.isKnown(steps)) {
        tokens[known] = recent.tokens;
        lasts[known] = recent.last;
        usual[known] = recent.usual;
        recent.grow(steps);
        nanos[known++] = recent.now;
      }
    }
    switch (typical) {
      case MEDIAN -> raise();
      case LEAST -> lower();
    }
  }

  /**
   * A size that ran when the JVM was cold or the machine busy would look dear for ever, and not be
   * tried again: it takes no more than the line between those around it that ran since.
   */
  private void lower() {
    for (int i = 1; i < known - 1; i++) {
      int below = i - 1;
      while (below >= 0 && lasts[below] < lasts[i]) below--;
      int above = i + 1;
      while (above < known && lasts[above] < lasts[i]) above++;
      if (below < 0 || above == known) continue;
      double share = (tokens[i] - tokens[below]) / (tokens[above] - tokens[below]);
      nanos[i] = Math.min(nanos[i], nanos[below] + share * (nanos[above] - nanos[below]));
    }
  }

  /**
   * Texts grow, and with them what a step takes: a size of prompts is raised by what the same
   * kernels took since it ran. A token of a smaller step takes no less than one of a larger; of a
   * larger step, which may have tokens for nothing, half of that is a fair guess.
   */
  private void raise() {
    for (int i = known - 2; i >= 0; i--) {
      raise(i, i + 1, tokens[i] / tokens[i + 1]);
    }
    for (int i = 1; i < known; i++) {
      raise(i, i - 1, 1 + (tokens[i] / tokens[i - 1] - 1) / 2);
    }
  }

  private void raise(int stale, int by, double times) {
    if (lasts[stale] >= lasts[by] || octave(tokens[stale]) != octave(tokens[by])) return;
    if (Math.min(tokens[stale], tokens[by]) <= SMALL) return;
    lasts[stale] = lasts[by];
    nanos[stale] = Math.max(nanos[stale], nanos[by] * times);
  }

  /** The powers of two between which a size lies: kernels are made for those. */
  private static int octave(double size) {
    return Integer.highestOneBit((int) Math.ceil(size) - 1);
  }

  /** Larger steps are alike where they differ by less than a quarter. */
  private static int size(int tokens) {
    if (tokens <= SMALL) return tokens;
    int quarter = Integer.highestOneBit(tokens) / 4;
    return Math.ceilDiv(tokens, quarter) * quarter;
  }

  boolean isKnown() {
    return known > 0;
  }

  /** How many known sizes are below this one. */
  private int below(int size) {
    int i = 0;
    while (i < known && tokens[i] < size) i++;
    return i;
  }

  /** Whether steps of about so many tokens ran lately. */
  boolean hasRun(int size) {
    Recent recent = bySize.get(size(size));
    return recent != null && recent.isKnown(steps);
  }

  /** What the next smaller size that is known takes, or the smallest. */
  double before(int size) {
    return nanos[Math.max(0, below(size) - 1)];
  }

  /**
   * What the next larger size that is known takes, as long as it is not much larger: a step takes
   * no more than one of more tokens. Without one there is no telling.
   */
  double above(int size) {
    int i = below(size);
    return i < known && tokens[i] <= NEAR * size ? nanos[i] : Double.POSITIVE_INFINITY;
  }

  /** Whether a step of so many tokens is not much larger than one that is known. */
  boolean isNear(int size) {
    int i = below(size);
    return i == 0 || i < known && tokens[i] == size || size <= NEAR * tokens[i - 1];
  }

  /**
   * Whether there is a power of two between this size and the next smaller that is known: kernels
   * are made for those, so behind one a token more may take twice as long.
   */
  boolean isBehindRound(int size) {
    int i = below(size);
    return i > 0 && octave(size) > octave(tokens[i - 1]);
  }

  /** Whether a step of so many tokens would be of the size that comes next to a known one. */
  boolean isNext(int size) {
    if (size <= SMALL) return isNear(size);
    int i = below(size);
    return i > 0 && size <= size((int) tokens[i - 1] + 1);
  }

  /**
   * The nanoseconds that a step of so many tokens should take. Beyond what is known they grow with
   * the tokens, below it they stay: both are the dearer guess.
   */
  double of(int size) {
    if (known == 0) return 0;
    int i = below(size);
    if (i == 0) return nanos[0];
    if (i == known) return nanos[i - 1] * size / tokens[i - 1];
    // Between sizes there may be a jump, within one there is none.
    if (size(size) == size((int) tokens[i])) return nanos[i] * size / tokens[i];
    double share = (size - tokens[i - 1]) / (tokens[i] - tokens[i - 1]);
    return nanos[i - 1] + share * (nanos[i] - nanos[i - 1]);
  }

  /**
   * What those who follow are used to: the nanoseconds that a step of so many tokens takes in the
   * long run, or lately if that is less. A machine that others use for a while is slower as a
   * whole, and that is no reason to make its steps larger.
   */
  double usual(int size) {
    int i = below(size);
    boolean hasRun = i < known && tokens[i] == size;
    return hasRun ? Math.min(STEADY * usual[i], nanos[i]) : of(size);
  }

  /**
   * Whether so many steps of as many tokens ran that the first of them, in a cold JVM, weigh
   * little.
   */
  boolean isSure(int size) {
    return hasRun(size) && bySize.get(size(size)).count >= SURE;
  }

  /**
   * As {@link #of}, but of a size that hardly ran and is near one that did the cheaper guess, for
   * who can afford to be wrong and will know then: that each token more is next to nothing.
   */
  double hopeful(int size) {
    int i = below(size);
    if (i == 0 || isSure(size) || !isNear(size)) return of(size);
    double more = size - tokens[i - 1];
    double last = i == 1 ? 0 : (nanos[i - 1] - nanos[i - 2]) / (tokens[i - 1] - tokens[i - 2]);
    double each = Math.max(last, SLIGHT * nanos[0] / tokens[0]);
    return Math.min(of(size), nanos[i - 1] + more * each);
  }
}
