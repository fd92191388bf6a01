package weft.serve.openai;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.EventStream;
import weft.serve.web.Visit;

/**
 * A stream of chunks that ends with the vendor's word. What goes wrong before the first is an error
 * like any other; what goes wrong later is the last chunk. For one thread.
 */
final class Chunks {
  private final Visit visit;
  private Optional<EventStream> events = Optional.empty();

  Chunks(Visit visit) {
    this.visit = visit;
  }

  void run(Runnable work) {
    try {
      work.run();
      stream().data("[DONE]");
    } catch (ProblemException e) {
      if (events.isEmpty()) throw e;
      visit.remember(e);
      stream().data(OpenAi.error(e.problem()).body());
    } finally {
      events.ifPresent(EventStream::close);
    }
  }

  void begin() {
    events = Optional.of(visit.events());
  }

  void send(ObjectNode chunk) {
    stream().data(chunk);
  }

  void waiting() {
    events.ifPresent(EventStream::comment);
  }

  private EventStream stream() {
    return events.orElseThrow(() -> new ProblemException(new Problem.Internal()));
  }
}
