package weft.cpu;

import java.util.function.Consumer;
import weft.backend.MemorySource;
import weft.cpu.kernel.Meeting;

/** The caller alone: for steps that are over before others would have woken. Owns its memory. */
final class Solo implements Team, AutoCloseable {
  private final Worker worker;
  private final Meeting meeting = new Meeting(1, 0);

  Solo(MemorySource memory) {
    worker = new Worker(0, 1, memory);
  }

  @Override
  public int count() {
    return 1;
  }

  @Override
  public void run(Consumer<Worker> work) {
    work.accept(worker);
  }

  @Override
  public void meet() {}

  @Override
  public Meeting meeting() {
    return meeting;
  }

  @Override
  public void close() {
    worker.close();
    meeting.close();
  }
}
