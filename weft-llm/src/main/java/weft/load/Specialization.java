package weft.load;

import java.util.Locale;
import weft.lir.Bounds;

/**
 * Which compiled size serves a step, and how many sizes are kept. Programs differ by what their
 * buffers depend on alone, which is {@link Bounds}: never by how far a sequence has come. A value,
 * safe for all threads.
 */
public sealed interface Specialization {
  /** Each holds its buffers. */
  int MOST_PROGRAMS = 1024;

  /**
   * The bounds of the program that runs a step of these bounds, within the largest there can be.
   */
  Bounds boundsFor(Bounds step, Bounds limits);

  /** How many programs are kept; the least recently used goes when there is one more. */
  int capacity();

  /** How often the memory of the largest program all that are kept take at the most. */
  int timesLargest();

  /** The most tokens of a step that has room for {@code limit}; more are fed in several steps. */
  default int largestStep(int limit) {
    return limit;
  }

  /** A program for each size that comes. */
  record Exact(int capacity) implements Specialization {
    public Exact {
      requireCapacity("an exact specialization", capacity);
    }

    @Override
    public Bounds boundsFor(Bounds step, Bounds limits) {
      return step;
    }

    @Override
    public int timesLargest() {
      return capacity;
    }
  }

  /**
   * Tokens rounded up to powers of two: few programs, at most twice the memory. Steps have at most
   * {@code max} tokens. A bucket takes every number of wanted rows: how many come differs from step
   * to step, and memory that nothing is written to is not taken.
   */
  record Buckets(int min, int max, int capacity) implements Specialization {
    public static final int LARGEST_STEP = 1 << 24;

    /** All from 4 to 512 tokens, so that a usual profile never compiles one twice. */
    private static final int USUAL_CAPACITY = 8;

    public Buckets {
      if (min < 1 || max < min || max > LARGEST_STEP) {
        throw new LoadException(
            "buckets from %d to %d: want 1 <= smallest <= largest <= %d"
                .formatted(min, max, LARGEST_STEP));
      }
      requireCapacity("a specialization by buckets", capacity);
    }

    public static Buckets powerOfTwo(int min, int max) {
      return new Buckets(min, max, USUAL_CAPACITY);
    }

    @Override
    public int largestStep(int limit) {
      return Math.min(max, limit);
    }

    /** Halves, quarters and so on of a program are less than it together. */
    @Override
    public int timesLargest() {
      return 2;
    }

    @Override
    public Bounds boundsFor(Bounds step, Bounds limits) {
      int tokens = bucket(step.tokens(), limits.tokens());
      return new Bounds(tokens, Math.min(tokens, Math.max(step.wanted(), limits.wanted())));
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

    @Override
    public int capacity() {
      return 1;
    }

    @Override
    public int timesLargest() {
      return 1;
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

  private static void requireCapacity(String what, int capacity) {
    if (capacity < 1) {
      throw new LoadException(what + " keeps at least 1 program, got " + capacity);
    }
    if (capacity > MOST_PROGRAMS) {
      throw new LoadException(
          what + " keeps at most " + MOST_PROGRAMS + " programs, got " + capacity);
    }
  }
}
