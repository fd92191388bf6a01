package weft.serve.openai;

import java.util.Locale;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.models.Shelf;
import weft.serve.web.Json;
import weft.serve.web.Visit;

/** {@code /v1/models}: what is served, and how it fares. */
final class Models {
  private final Shelf shelf;

  Models(Shelf shelf) {
    this.shelf = shelf;
  }

  void list(Visit visit) {
    var list = Json.object().put("object", "list");
    var data = list.putArray("data");
    shelf.states().forEach(status -> data.add(model(status)));
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
    var model = Json.object();
    model.put("id", status.name());
    model.put("object", "model");
    model.put("created", status.since().getEpochSecond());
    model.put("owned_by", "weft");
    model.put("state", status.state().name().toLowerCase(Locale.ROOT));
    if (status.contextLength() > 0) {
      model.put("context_length", status.contextLength());
      var kinds = model.putArray("input_modalities").add("text");
      if (status.isSeeing()) kinds.add("image").add("video");
    }
    return model;
  }
}
