package weft.load;

import java.util.concurrent.locks.ReentrantLock;
import weft.generate.GenerateException;

/**
 * Lets one thread in at a time, in the order they came, until it is shut; shutting waits for the
 * one who is in. Safe for all threads.
 */
final class Door {
  private final String name;
  // In order: a thread that comes back at once must not pass those who wait.
  private final ReentrantLock lock = new ReentrantLock(true);
  private volatile boolean isShut;
  private boolean isLeft; // by the last one who was in; guarded by lock

  /**
   * @param name of what is behind it, as the messages have it, such as "the model"
   */
  Door(String name) {
    this.name = name;
  }

  /** Waits to be let in; who enters must {@link #leave}. */
  void enter() {
    requireNotMine();
    requireOpen();
    lock.lock();
    if (isShut) {
      lock.unlock();
      throw shutFor();
    }
  }

  void leave() {
    lock.unlock();
  }

  /** Whether the calling thread is in. */
  boolean isMine() {
    return lock.isHeldByCurrentThread();
  }

  /** Does something while nobody else is in, also when it is shut. */
  void behind(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Refuses once somebody shuts it: also who is in and means to stay. */
  void requireOpen() {
    if (isShut) throw shutFor();
  }

  private void requireNotMine() {
    if (isMine()) {
      throw new GenerateException(
          name + " is in use by this same thread, which has not come back from it yet");
    }
  }

  private GenerateException shutFor() {
    return new GenerateException(name + " is closed; load it again to go on");
  }

  /** Lets nobody in from now on and waits until nobody is; false when it was shut before. */
  boolean shut() {
    requireNotMine();
    isShut = true;
    lock.lock();
    try {
      boolean isFirst = !isLeft;
      isLeft = true;
      return isFirst;
    } finally {
      lock.unlock();
    }
  }
}
