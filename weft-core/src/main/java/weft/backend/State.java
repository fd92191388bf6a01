package weft.backend;

/** One sequence's memory on a device: what its state ops have kept of the tokens seen. */
public interface State extends AutoCloseable {
  int position();

  /**
   * Forgets tokens after {@code position}, or more where the state cannot stop there (recurrent
   * layers, a window that has moved on); returns the position reached. It can stop before each row
   * that was tentative in the last step.
   */
  int rewind(int position);

  /** The position that a {@link #rewind} or a {@link #fork} to this one would reach. */
  int nearest(int position);

  /**
   * Gives back what only rewinds and forks to earlier positions need and can be done without, for
   * the memory of others.
   */
  void slim();

  /** How many snapshots were taken so far to make rewinds possible, and the time they took. */
  Snapshots snapshots();

  /** A number of snapshots and their time. */
  record Snapshots(int count, long nanos) {
    public static final Snapshots NONE = new Snapshots(0, 0);

    public Snapshots and(Snapshots more) {
      return new Snapshots(count + more.count, nanos + more.nanos);
    }

    public Snapshots since(Snapshots earlier) {
      return new Snapshots(count - earlier.count, nanos - earlier.nanos);
    }
  }

  /**
   * Another sequence that has seen what this one saw up to {@code position}, or less where a {@link
   * #rewind} would stop lower, and goes its own way. It shares the memory of what both have seen;
   * who writes to a part of it first takes a copy of that part. Throws {@link NoRoomException}
   * where there is no room for what cannot be shared. The caller closes it.
   */
  State fork(int position);

  /** The bytes that a step of so many more tokens would take, the last of them tentative. */
  long needs(int rows, int tentative);

  /** The bytes this state holds now, what it shares with others included. */
  long bytes();

  @Override
  void close();
}
