package weft.backend;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Something that one thread at a time may use: tells a second one who is there instead of letting
 * it in, and closes only when nobody is. Safe from any thread; entering and leaving are a write
 * each to a word that no other core reads.
 */
public final class Confined {
  /** Between looks of one who closes. */
  private static final long PATIENCE_NANOS = 100_000;

  private final String name;
  private final AtomicReference<Object> user = new AtomicReference<>(Use.FREE);
  private volatile boolean isClosing;

  private enum Use {
    FREE,
    CLOSED
  }

  /**
   * @param name as the messages have it, such as "the device"
   */
  public Confined(String name) {
    this.name = name;
  }

  /**
   * Does something while nobody else is in; refuses while somebody is, the same thread included.
   */
  public void during(Runnable work) {
    enter();
    try {
      work.run();
    } finally {
      leave();
    }
  }

  /** The beginning of a use that ends elsewhere: who enters must {@link #leave}. */
  public void enter() {
    requireOpen();
    var met = user.compareAndExchange(Use.FREE, Thread.currentThread());
    if (met != Use.FREE) throw refusal(met);
  }

  public void leave() {
    user.set(Use.FREE);
  }

  /** Whether the calling thread is in. */
  public boolean isMine() {
    return user.get() == Thread.currentThread();
  }

  /** Refuses once somebody closes: also for who is in and means to stay. */
  public void requireOpen() {
    if (isClosing) throw refusal(Use.CLOSED);
  }

  private BackendException refusal(Object met) {
    return new BackendException(
        switch (met) {
          case Use _ -> name + " is closed";
          case Thread t when t == Thread.currentThread() ->
              name + " is in use by this same thread, which has not come back from it yet";
          case Thread t ->
              name
                  + " is in use by thread "
                  + t.getName()
                  + "; one thread at a time may use it: wait for that one, or open another";
          default -> throw new AssertionError(met);
        });
  }

  /**
   * Lets nobody in from now on and waits until nobody is; false when it was closed before. The
   * thread that is in cannot close it.
   */
  public boolean close() {
    if (isMine()) throw refusal(Thread.currentThread());
    isClosing = true;
    boolean isInterrupted = false;
    while (true) {
      var met = user.compareAndExchange(Use.FREE, Use.CLOSED);
      if (met == Use.FREE || met == Use.CLOSED) {
        if (isInterrupted) Thread.currentThread().interrupt();
        return met == Use.FREE;
      }
      LockSupport.parkNanos(this, PATIENCE_NANOS);
      isInterrupted |= Thread.interrupted();
    }
  }
}
