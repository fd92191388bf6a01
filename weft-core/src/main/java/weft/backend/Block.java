package weft.backend;

/** Some of a device's memory that {@link StateStorage} gave; it holds anything until written. */
public interface Block {
  long bytes();

  /** Takes what another block of the same device holds, as far as both reach. */
  void copyFrom(Block other);

  /** Makes all of it zero. */
  void clear();

  /** Gives the memory back to the system; nobody touches it afterwards. */
  void free();
}
