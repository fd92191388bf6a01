package weft.load;

import java.util.Locale;
import weft.lir.Bounds;

/** Which compiled size serves a step. */
public sealed interface Specialization {
  /**
   * The bounds of the program that runs a step of these bounds, within the largest there can be.
   */
  Bounds boundsFor(Bounds step, Bounds limits);

  /** The most tokens of a step that has room for {@code limit}; more are fed in several steps. */
  default int largestStep(int limit) {
    return limit;
  }

  /** A program for each size that comes; the least recently used goes when there are too many. */
  record Exact(int capacity) implements Specialization {
    /** Each holds its buffers. */
    public static final int MOST_PROGRAMS = 1024;

    public Exact {
      if (capacity < 1) {
        throw new LoadException(
            "an exact specialization keeps at least 1 program, got " + capacity);
      }
      if (capacity > MOST_PROGRAMS) {
        throw new LoadException(
            "an exact specialization keeps at most "
                + MOST_PROGRAMS
                + " programs, got "
                + capacity);
      }
    }

    @Override
    public Bounds boundsFor(Bounds step, Bounds limits) {
      return step;
    }
  }

  /**
   * Sizes rounded up to powers of two: few programs, at most twice the memory. Steps have at most
   * {@code max} tokens; positions are rounded up too, as far as the context reaches.
   */
  record Buckets(int min, int max) implements Specialization {
    public static final int LARGEST_STEP = 1 << 24;

    public Buckets {
      if (min < 1 || max < min || max > LARGEST_STEP) {
        throw new LoadException(
            "buckets from %d to %d: want 1 <= smallest <= largest <= %d"
                .formatted(min, max, LARGEST_STEP));
      }
    }

    public static Buckets powerOfTwo(int min, int max) {
      return new Buckets(min, max);
    }

    @Override
    public int largestStep(int limit) {
      return Math.min(max, limit);
    }

    @Override
    public Bounds boundsFor(Bounds step, Bounds limits) {
      int tokens = bucket(step.tokens(), limits.tokens());
      return new Bounds(
          tokens,
          Math.min(tokens, bucket(step.wanted(), limits.wanted())),
          bucket(step.context(), limits.context()));
    }

    private int bucket(int size, int limit) {
      int rounded =
          Math.max(min, Integer.highestOneBit(Math.max(1, size - 1)) * (size > 1 ? 2 : 1));
      return Math.max(size, Math.min(rounded, limit));
    }
  }

  /** One program for everything. */
  record Symbolic() implements Specialization {
    @Override
    public Bounds boundsFor(Bounds step, Bounds limits) {
      return limits;
    }
  }

  /** A specialization by its name in a profile. */
  static Specialization named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "exact" -> new Exact(16);
      case "buckets" -> Buckets.powerOfTwo(1, Buckets.LARGEST_STEP);
      case "symbolic" -> new Symbolic();
      default ->
          throw new LoadException(
              "no specialization is called " + name + "; use exact, buckets or symbolic");
    };
  }
}
