package weft.load;

import java.util.Optional;
import weft.generate.Capacity;
import weft.generate.Engine;
import weft.generate.EngineReport;
import weft.generate.GenerateException;
import weft.generate.Model;

/** The engine inside a model, started by the first request. Safe for all threads. */
final class Replies implements AutoCloseable {
  private final Model model;
  private final Capacity capacity;
  private Optional<Engine> engine = Optional.empty(); // guarded by this
  private volatile boolean isClosed;

  Replies(Model model, Capacity capacity) {
    this.model = model;
    this.capacity = capacity;
  }

  synchronized Engine engine() {
    requireOpen();
    if (engine.isEmpty()) engine = Optional.of(Engine.start(model, capacity));
    return engine.get();
  }

  synchronized EngineReport report() {
    return engine.map(Engine::report).orElseGet(() -> EngineReport.idle(capacity, model.memory()));
  }

  void requireOpen() {
    if (isClosed) {
      throw new GenerateException("the model is closed; load it again to go on");
    }
  }

  private synchronized Optional<Engine> shut() {
    if (engine.map(Engine::isOwnThread).orElse(false)) {
      throw new GenerateException(
          "a model cannot be closed by the listener of one of its replies, which it waits for;"
              + " answer STOP, and close it on another thread");
    }
    isClosed = true;
    return engine;
  }

  /** Ends the replies in the making and waits for that. */
  @Override
  public void close() {
    shut().ifPresent(Engine::close);
  }
}
