package weft.cpu.asm;

/**
 * Memory that was not there when emitted code wanted it.
 *
 * @param kind what the system said of it
 * @param address where
 */
public record Fault(Kind kind, long address) {
  /** The signals that tell of faults, by their numbers on Linux. */
  public enum Kind {
    /** A mapped file has no such page any more, or its disk cannot give it. */
    GONE(7),
    /** Nothing is mapped there, or not for this use. */
    STRANGE(11);

    private final int signal;

    Kind(int signal) {
      this.signal = signal;
    }

    int signal() {
      return signal;
    }

    static Kind of(long signal) {
      return signal == GONE.signal ? GONE : STRANGE;
    }
  }
}
