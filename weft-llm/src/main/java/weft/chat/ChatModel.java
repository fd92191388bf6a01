package weft.chat;

import java.util.Optional;
import weft.generate.Request;
import weft.generate.Ticket;

/** What a conversation needs of a model; safe for all threads. */
public interface ChatModel {
  /** How conversations become tokens. */
  ChatPrompts prompts();

  /** Going on from these tokens to the model's own end. */
  Request request(int... prompt);

  /** What it looks at pictures with, if it has that. */
  default Optional<Sight> sight() {
    return Optional.empty();
  }

  /** What people know it by. */
  default String name() {
    return "the model";
  }

  /** Queues a request. */
  Ticket submit(Request request);
}
