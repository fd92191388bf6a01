package weft.backend;

import java.util.List;
import weft.lir.Launch;
import weft.lir.Program;

/** A program that is ready to run on its device; confined to one caller at a time. */
public interface Executable extends AutoCloseable {
  Program program();

  /**
   * Feeds a step: every sequence of it has moved on when this returns, and the step's lists have
   * been read. What the step computes may still be under way, unless somebody observes it; whoever
   * reads an output, or uses a sequence again, waits for it and hears what went wrong.
   */
  void run(Step step, Observer observer);

  /**
   * Whether another program of its device can {@link #follow} rows of this output before anybody
   * has read them.
   */
  default boolean leads(String output) {
    return false;
  }

  /**
   * Feeds a step as {@link #run} does, but the token of its i-th row is the greatest element of the
   * i-th row of an output of another program's last run, whatever the step's list says. Both may be
   * under way when this returns, and rows of the other hold until that one runs again; where they
   * are not finite, any token is taken. What there is no memory for is a {@link NoRoomException} or
   * a {@link NoMemoryException}, and nothing is fed.
   */
  default void follow(Step step, Executable last, String output) {
    throw new BackendException("this program follows no other");
  }

  /** What serves each of the program's steps, in order. */
  List<Service> services();

  /** One row of an output of the last run, to be asked for what it holds. */
  OutputRow row(String output, int row);

  /** Copies one row of an output of the last run. */
  default void read(String output, int row, float[] to) {
    row(output, row).copyTo(to);
  }

  /**
   * Nobody reads what the last run left, and the next one may be far off: a device that can lets
   * the system have the memory meanwhile, should it run short. The next run needs no other call.
   */
  default void rest() {}

  @Override
  void close();

  /** Sees each launch as it ends. */
  @FunctionalInterface
  interface Observer {
    Observer NONE = (launch, service, nanos) -> {};

    void ran(Launch launch, Service service, long nanos);
  }
}
