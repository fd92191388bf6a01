package weft.cuda.ptx;

/** What a load from global memory says about reading its bytes again. */
public enum Cache {
  /** May be read again, may be written by this launch. */
  PLAIN(""),
  /** No kernel writes it: launches may begin before those that write have ended. */
  READ_ONLY(".nc"),
  /** Nobody writes it, and nobody of this multiprocessor reads it again: weights. */
  STREAMED(".nc.L1::no_allocate"),
  /** Earlier launches wrote it, and nobody of this multiprocessor reads it again. */
  PASSING(".L1::no_allocate"),
  /** What other multiprocessors wrote: past the nearest cache. */
  FAR(".cg");

  private final String suffix;

  Cache(String suffix) {
    this.suffix = suffix;
  }

  String suffix() {
    return suffix;
  }
}
