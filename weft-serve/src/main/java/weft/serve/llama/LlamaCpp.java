package weft.serve.llama;

import java.util.List;
import weft.serve.ask.Answering;
import weft.serve.ask.Problem;
import weft.serve.web.Dialect;
import weft.serve.web.Json;
import weft.serve.web.Missing;
import weft.serve.web.Route;

/** The routes that llama.cpp's server has of its own, and its shape of errors. */
public final class LlamaCpp implements Dialect {
  private final List<Route> routes;

  public LlamaCpp(Answering answering) {
    var texts = new Texts(answering);
    var props = new Props(answering);
    var completion = new Completion(answering);
    this.routes =
        List.of(
            Route.post("/completion", completion::answer),
            Route.post("/tokenize", texts::tokenize),
            Route.post("/detokenize", texts::detokenize),
            Route.post("/apply-template", texts::applyTemplate),
            Route.get("/props", props::show),
            Route.post("/props", new Missing("properties cannot be changed while the server runs")),
            Route.get("/lora-adapters", visit -> visit.send(200, Json.array())),
            Route.post("/lora-adapters", new Missing("this server has no adapters")),
            Route.get(
                "/slots", new Missing("replies have no slots here; /metrics says how many run")),
            Route.post(
                "/slots/{id}", new Missing("what texts share is kept without being asked for")),
            Route.post("/infill", new Missing("texts go on at their end alone")),
            Route.post("/rerank", new Missing("this server ranks nothing; compare /v1/embeddings")),
            Route.post(
                "/v1/rerank", new Missing("this server ranks nothing; compare /v1/embeddings")));
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public boolean owns(String path) {
    return routes.stream().anyMatch(route -> route.match(path).isPresent());
  }

  @Override
  public Refusal refusal(Problem problem, String request) {
    return error(problem);
  }

  static Refusal error(Problem problem) {
    return switch (problem) {
      case Problem.BadField _,
          Problem.Unsupported _,
          Problem.BadBody _,
          Problem.BadConversation _,
          Problem.BadImage _ ->
          error(400, "invalid_request_error", problem);
      case Problem.ContextExceeded(int tokens, int context) -> {
        var refusal = error(400, "exceed_context_size_error", problem);
        refusal.body().withObject("error").put("n_prompt_tokens", tokens).put("n_ctx", context);
        yield refusal;
      }
      case Problem.Unauthorized _ -> error(401, "authentication_error", problem);
      case Problem.ForeignOrigin _ -> error(403, "permission_error", problem);
      case Problem.UnknownModel _,
          Problem.UnknownRoute _,
          Problem.NotFound _,
          Problem.UnknownPrevious _ ->
          error(404, "not_found_error", problem);
      case Problem.WrongMethod _ -> error(405, "invalid_request_error", problem);
      case Problem.TooLarge _ -> error(413, "invalid_request_error", problem);
      case Problem.Packed _ -> error(415, "invalid_request_error", problem);
      case Problem.Busy _ -> error(429, "unavailable_error", problem);
      case Problem.Leaving _ -> error(503, "unavailable_error", problem);
      case Problem.NotServed _ -> error(501, "not_supported_error", problem);
      case Problem.UnloadableModel _, Problem.Internal _ -> error(500, "server_error", problem);
    };
  }

  private static Refusal error(int status, String type, Problem problem) {
    var body = Json.object();
    body.putObject("error")
        .put("code", status)
        .put("message", problem.sentence())
        .put("type", type);
    return new Refusal(status, body);
  }
}
