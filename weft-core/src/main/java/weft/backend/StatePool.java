package weft.backend;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The memory of all states of a device, in blocks that are used again: it knows what it holds and
 * never holds more than its budget, but for what steps alone need. Safe from any thread. Owns what
 * nobody uses; what is in use comes back when its last owner releases it, after a close too.
 */
public final class StatePool implements AutoCloseable {
  public static final long UNBOUNDED = Long.MAX_VALUE;

  /** Of what nobody uses, so much stays: fresh pages cost their first writer more than writing. */
  static final long MOST_IDLE = 256L << 20;

  /** What is written ahead for the first time between two steps: a few pages of texts. */
  static final long AHEAD_A_STEP = 512L << 10;

  /** What lies there written and unused at the most: a page of each layer for a dozen texts. */
  static final long MOST_AHEAD = 32L << 20;

  private final StateStorage storage;
  private final long budget;
  private final Map<Long, Deque<Block>> idle = new LinkedHashMap<>();

  /** Of each size, how many blocks had to be fresh. */
  private final Map<Long, Integer> missed = new LinkedHashMap<>();

  private long used;
  private long idleBytes;
  private boolean isClosed;
  private Optional<Stretch> stretch = Optional.empty();

  public StatePool(StateStorage storage, long budget) {
    if (budget < 1) throw new BackendException("a budget has at least 1 byte, got " + budget);
    this.storage = storage;
    this.budget = budget;
  }

  /** What states hold, each shared block once, and what is set aside for a step. */
  public synchronized long bytes() {
    return used;
  }

  /** What {@link #bytes} can be at the most. */
  public long budget() {
    return budget;
  }

  /** What can still be had. */
  public synchronized long free() {
    return Math.max(0, budget - used);
  }

  StateStorage storage() {
    return storage;
  }

  /** Sets room aside, for {@code whose} as a message has it; throws {@link NoRoomException}. */
  Room claim(String whose, long bytes) {
    return claim(() -> whose, bytes);
  }

  /** The same where the message takes longer to write than the room to have. */
  Room claim(Supplier<String> whose, long bytes) {
    return claimIfFree(bytes).orElseThrow(() -> new NoRoomException(whose.get(), bytes, this));
  }

  /** For what is better kept than not. */
  synchronized Optional<Room> claimIfFree(long bytes) {
    long more = stretch.filter(Stretch::isMine).map(each -> each.bytes).orElse(0L);
    if (bytes - more > budget - used) return Optional.empty();
    used += bytes;
    return Optional.of(new Room(bytes));
  }

  /**
   * So much more than the budget for this thread until it is closed, for what it gives back before:
   * the memory of a step alone, which no text can wait for. One at a time.
   */
  public synchronized Stretch stretch(long bytes) {
    if (stretch.isPresent()) throw new BackendException("a budget is stretched by one at a time");
    var own = new Stretch(bytes);
    stretch = Optional.of(own);
    return own;
  }

  /** More than the budget, for the thread that asked for it. */
  public final class Stretch implements AutoCloseable {
    private final Thread owner = Thread.currentThread();
    private final long bytes;

    private Stretch(long bytes) {
      this.bytes = bytes;
    }

    private boolean isMine() {
      return Thread.currentThread() == owner;
    }

    @Override
    public void close() {
      synchronized (StatePool.this) {
        stretch = Optional.empty();
      }
    }
  }

  /** Room that was set aside, until it is taken; a close gives the rest back. */
  final class Room implements AutoCloseable {
    private long left;

    private Room(long bytes) {
      this.left = bytes;
    }

    /** A block of this room; it holds anything. */
    SharedBlock take(long bytes) {
      if (bytes > left) throw new AssertionError(bytes + " bytes of a room of " + left);
      var block = new SharedBlock(StatePool.this, block(bytes));
      left -= bytes;
      return block;
    }

    @Override
    public void close() {
      unclaim(left);
      left = 0;
    }
  }

  private synchronized void unclaim(long bytes) {
    used -= bytes;
  }

  private synchronized Block block(long bytes) {
    var alike = idle.getOrDefault(bytes, new ArrayDeque<>());
    if (alike.isEmpty()) {
      shrinkTo(Math.max(0, budget - used));
      missed.merge(bytes, 1, Integer::sum);
      return storage.allocate(bytes);
    }
    idleBytes -= bytes;
    return alike.removeLast();
  }

  /**
   * Called between steps of several texts, which often need their next pages in the same step:
   * writes a few blocks for the first time that will be wanted, rather than have one step write
   * them all. What there is no room for is left.
   */
  public synchronized void lookAhead() {
    if (isClosed || !storage.isSlowAtFirst()) return;
    try {
      writeAhead();
    } catch (NoRoomException full) {
      // Nobody needs it yet; who does will be told.
    }
  }

  private void writeAhead() {
    long left = AHEAD_A_STEP;
    for (var each : missed.entrySet()) {
      long bytes = each.getKey();
      var alike = idle.computeIfAbsent(bytes, _ -> new ArrayDeque<>());
      long most = Math.min(each.getValue() * bytes, MOST_AHEAD);
      while (bytes <= left && (alike.size() + 1) * bytes <= most && hasRoomFor(bytes)) {
        Block block = storage.allocate(bytes);
        block.clear();
        alike.addFirst(block);
        idleBytes += bytes;
        left -= bytes;
      }
    }
  }

  private boolean hasRoomFor(long bytes) {
    return idleBytes + bytes <= Math.min(MOST_IDLE, budget - used);
  }

  synchronized void giveBack(Block block) {
    long bytes = block.bytes();
    used -= bytes;
    idle.computeIfAbsent(bytes, _ -> new ArrayDeque<>()).addLast(block);
    idleBytes += bytes;
    shrinkTo(isClosed ? 0 : MOST_IDLE);
  }

  private void shrinkTo(long most) {
    for (var blocks : idle.values()) {
      while (idleBytes > most && !blocks.isEmpty()) {
        var oldest = blocks.removeFirst();
        idleBytes -= oldest.bytes();
        oldest.free();
      }
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    shrinkTo(0);
  }
}
