package weft.chat;

import weft.generate.Request;
import weft.generate.Ticket;

/** What a conversation needs of a model; safe for all threads. */
public interface ChatModel {
  /** How conversations become tokens. */
  ChatPrompts prompts();

  /** Going on from these tokens to the model's own end. */
  Request request(int... prompt);

  /** Queues a request. */
  Ticket submit(Request request);
}
