package weft.cpu.team;

import java.util.Optional;
import java.util.function.Consumer;
import weft.backend.MemorySource;
import weft.cpu.kernel.walk.Meeting;

/** The caller alone: for steps that are over before others would have woken. Owns its memory. */
public final class Solo implements Team, AutoCloseable {
  private final Worker worker;
  private final Optional<Meeting> meeting;

  Solo(MemorySource memory, Optional<Meeting> meeting) {
    this.worker = new Worker(0, 1, memory);
    this.meeting = meeting;
  }

  @Override
  public int count() {
    return 1;
  }

  @Override
  public void run(Consumer<Worker> work) {
    meeting.filter(Meeting::isCalledOff).ifPresent(Meeting::beginAnew);
    work.accept(worker);
  }

  @Override
  public void meet() {}

  @Override
  public Meeting meeting() {
    return meeting.orElseThrow();
  }

  @Override
  public void close() {
    worker.close();
    meeting.ifPresent(Meeting::close);
  }
}
