package weft.serve.openai;

import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Client;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Talk;

/**
 * Responses over a WebSocket: a message asks for one, its events are the answer. The last response
 * that may not be stored is known to this socket alone, until it is gone on from in vain.
 */
final class ResponseTalk implements Talk, ResponsePast {
  private static final String CREATE = "response.create";

  /** A response by its id. */
  private record Last(String id, ResponseStore.Kept kept) {}

  private final Responses responses;
  private Optional<Last> last = Optional.empty();

  ResponseTalk(Responses responses) {
    this.responses = responses;
  }

  @Override
  public Optional<ProblemException> hear(
      Fields message, Client client, Consumer<ObjectNode> answers) {
    var type = message.text("type").orElse("none");
    if (!type.equals(CREATE)) throw Fields.bad("type", Fields.quoted(type), CREATE);
    var previous = message.text("previous_response_id");
    boolean isAnswered = false;
    try {
      var failure = responses.answer(message, client, this, answers, client::requireThere);
      isAnswered = failure.isEmpty();
      return failure;
    } finally {
      if (!isAnswered) last = last.filter(each -> !previous.equals(Optional.of(each.id)));
    }
  }

  @Override
  public Optional<ResponseStore.Kept> find(String id) {
    return last.filter(each -> each.id.equals(id))
        .map(Last::kept)
        .or(() -> responses.stored().find(id));
  }

  @Override
  public void keep(String id, ResponseStore.Kept kept, boolean isStored) {
    if (isStored) responses.stored().keep(id, kept, true);
    else last = Optional.of(new Last(id, kept)).filter(each -> !each.kept.isTooLarge());
  }

  @Override
  public ObjectNode refusal(Problem problem) {
    var refusal = OpenAi.error(problem);
    var event = Json.object().put("type", "error").put("status", refusal.status());
    event.set("error", refusal.body().get("error"));
    return event;
  }
}
