package weft.serve.ask;

import java.util.function.Consumer;

/** Who asks, whichever way it came: somebody on a line, or a line of a file. */
public interface Client {
  /** Whose it is, where nothing may be shared between clients; empty where all may. */
  String isolation();

  /** Asked again and again while something is made for it: throws where nobody waits any more. */
  void requireThere();

  /** Hears events, and ends them where the client is gone. */
  default Consumer<Event> watching(Consumer<Event> hearer) {
    return event -> {
      requireThere();
      hearer.accept(event);
    };
  }
}
