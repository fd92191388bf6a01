package weft.serve.anthropic;

import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.models.Shelf;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /v1/models} for those who say which version of Anthropic's interface they speak. */
final class ModelList {
  private final Shelf shelf;

  ModelList(Shelf shelf) {
    this.shelf = shelf;
  }

  void all(Visit visit) {
    var list = Json.object();
    var data = list.putArray("data");
    shelf.states().forEach(status -> data.add(model(status)));
    list.put("has_more", false);
    list.put("first_id", shelf.names().getFirst());
    list.put("last_id", shelf.names().getLast());
    visit.send(200, list);
  }

  void one(Visit visit) {
    var name = visit.parameter("id");
    var found = shelf.states().stream().filter(status -> status.name().equals(name)).findFirst();
    visit.send(
        200,
        model(
            found.orElseThrow(
                () -> new ProblemException(new Problem.UnknownModel(name, shelf.names())))));
  }

  private static ObjectNode model(Shelf.Status status) {
    var model = Json.object().put("type", "model").put("id", status.name());
    model.put("display_name", status.name());
    model.put("created_at", status.since().toString());
    if (status.contextLength() > 0) {
      model.put("max_input_tokens", status.contextLength());
      model.put("max_tokens", status.contextLength());
    } else {
      model.putNull("max_input_tokens").putNull("max_tokens");
    }
    return model.putNull("capabilities");
  }
}
