package weft.bench.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/** Runs one input and judges what happened. */
final class Execution {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Execution() {}

  /** How an input ended. */
  sealed interface Outcome {
    /** It was read. */
    record Read() implements Outcome {}

    /** It was refused as declared. */
    record Refused() implements Outcome {}

    record Found(Finding finding) implements Outcome {}
  }

  private static final Outcome READ = new Outcome.Read();
  private static final Outcome REFUSED = new Outcome.Refused();

  static Outcome of(Target target, byte[] input) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Outcome outcome;
    try {
      target.run(input);
      outcome = READ;
    } catch (RuntimeException e) {
      outcome = target.declares(e) ? REFUSED : new Outcome.Found(Finding.thrown(e));
    } catch (Error e) {
      outcome = new Outcome.Found(Finding.thrown(e));
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    return allocated > target.mostAllocated() && !(outcome instanceof Outcome.Found)
        ? new Outcome.Found(Finding.large(target, allocated))
        : outcome;
  }

  /** What is wrong with an input, if anything is. */
  static Optional<Finding> finding(Target target, byte[] input) {
    return of(target, input) instanceof Outcome.Found(var finding)
        ? Optional.of(finding)
        : Optional.empty();
  }
}
