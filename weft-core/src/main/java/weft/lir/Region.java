package weft.lir;

/** One buffer's place in the memory it shares with buffers that live at other times. */
public record Region(int id, long offset, long bytes, Lifetime lifetime) {
  public enum Lifetime {
    /** Within one step; the place is reused. */
    STEP,
    /** Computed once when the program is loaded. */
    PROGRAM
  }
}
