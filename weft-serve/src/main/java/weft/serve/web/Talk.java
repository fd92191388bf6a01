package weft.serve.web;

import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Client;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;

/** What is asked and answered over one socket, message by message. For one thread. */
public interface Talk {
  /**
   * Answers a message.
   *
   * @return what broke the answer off, of which the client has been told
   */
  Optional<ProblemException> hear(Fields message, Client client, Consumer<ObjectNode> answers);

  /** Says in a message what was wrong with one. */
  ObjectNode refusal(Problem problem);
}
