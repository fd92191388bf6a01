package weft.ir;

/**
 * One piece of a sequence's state, declared by the op that uses it; the runtime allocates what the
 * graph names.
 */
public sealed interface Slot {
  /** No window: every earlier token is attended. */
  int UNBOUNDED = Integer.MAX_VALUE;

  String name();

  /**
   * Whether several ops may use it, one after the other: each writes the step's rows anew, so that
   * the rows of earlier steps are the last op's. What sees a step's own rows alone shares one.
   */
  default boolean isShared() {
    return switch (this) {
      case KeyValue _ -> true;
      case Conv _, Delta _ -> false;
    };
  }

  /** Keys and values of the tokens seen; with a window only the last {@code window} are needed. */
  record KeyValue(String name, int heads, int keyDim, int valueDim, int window) implements Slot {
    public KeyValue {
      Rules.positive("kv heads", heads);
      Rules.positive("key size", keyDim);
      Rules.positive("value size", valueDim);
      Rules.positive("attention window", window);
    }

    public boolean isWindowed() {
      return window != UNBOUNDED;
    }

    /** The first position that a row sees, which sees all from another on in any case. */
    public int firstSeen(int position, int surely) {
      return isWindowed() ? Math.max(0, Math.min(position - window + 1, surely)) : 0;
    }
  }

  /** The last {@code taps} inputs of a causal convolution, per channel. */
  record Conv(String name, int taps, int channels) implements Slot {
    public Conv {
      Rules.require(taps >= 0, "convolution taps must be 0 or more, got %s", taps);
      Rules.positive("convolution channels", channels);
    }
  }

  /** The matrix of a delta rule: one {@code keyDim x valueDim} matrix a head. */
  record Delta(String name, int heads, int keyDim, int valueDim) implements Slot {
    public Delta {
      Rules.positive("delta heads", heads);
      Rules.positive("delta key size", keyDim);
      Rules.positive("delta value size", valueDim);
    }
  }
}
