package weft.generate;

/** Why a reply ended; a reply that failed has no finish but a {@link GenerateException}. */
public enum Finish {
  /** A stop token or a stop string came. */
  STOP,
  /** The limit of tokens or the end of the context was reached. */
  LENGTH,
  /** Someone cancelled it from outside. */
  CANCELLED,
  /** Its listener asked to stop. */
  STOPPED_BY_CALLBACK
}
