package weft.cpu.team;

import java.util.function.Consumer;
import weft.cpu.kernel.walk.Meeting;

/** Those who do a step together. */
public interface Team {
  int count();

  /** Runs the task on every member and returns when all are done; the first failure is thrown. */
  void run(Consumer<Worker> work);

  /** Waits for the other members. */
  void meet();

  /** Where they wait when they are in emitted code; there must be emitted code. */
  Meeting meeting();
}
