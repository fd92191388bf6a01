package weft.backend;

/**
 * Where a device keeps the states of sequences: all that it must bring for them. What lies where,
 * what is shared, kept, copied and forgotten is decided by {@link SequenceState}, for every device
 * alike; {@link StatePool} counts and bounds it.
 */
public interface StateStorage {
  /**
   * Fresh memory that begins where the device's kernels read well; throws {@link NoRoomException}
   * where there is none.
   */
  Block allocate(long bytes);

  /**
   * Whether fresh memory takes long to write to for the first time, as pages of a system do that
   * come into being by it.
   */
  default boolean isSlowAtFirst() {
    return false;
  }

  /** A new table, empty. The caller closes it. */
  PageTable table();
}
