package weft.serve.openai;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.ask.Answering;
import weft.serve.ask.Client;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.Dialect;
import weft.serve.web.Fields;
import weft.serve.web.Json;
import weft.serve.web.Route;

/** OpenAI's interface: its routes, and its shape of errors. */
public final class OpenAi implements Dialect {
  /** Answers a body with one document, without a stream. */
  @FunctionalInterface
  private interface InWhole {
    ObjectNode answer(Fields body, Client client);
  }

  private final List<Route> routes;
  private final Map<String, InWhole> whole;

  public OpenAi(Answering answering) {
    var chat = new ChatCompletions(answering);
    var completions = new Completions(answering);
    var embeddings = new Embeddings(answering);
    var models = new Models(answering.shelf());
    var responses = new Responses(answering);
    this.routes =
        List.of(
            Route.post("/v1/chat/completions", chat::answer),
            Route.post("/v1/chat/completions/input_tokens", chat::count),
            Route.post("/v1/completions", completions::answer),
            Route.post("/v1/embeddings", embeddings::answer),
            Route.post("/v1/responses", responses::create),
            Route.socket("/v1/responses", () -> new ResponseTalk(responses)),
            Route.post("/v1/responses/input_tokens", responses::count),
            Route.post("/v1/responses/compact", responses::compact),
            Route.get("/v1/responses/{id}", responses::find),
            Route.delete("/v1/responses/{id}", responses::delete),
            Route.post("/v1/responses/{id}/cancel", responses::cancel),
            Route.get("/v1/responses/{id}/input_items", responses::inputItems),
            Route.get("/v1/models", models::list),
            Route.get("/v1/models/{id...}", models::one));
    this.whole =
        Map.of(
            "/v1/chat/completions", chat::whole,
            "/v1/completions", completions::whole,
            "/v1/embeddings", embeddings::whole,
            "/v1/responses", responses::whole);
  }

  /** The paths at which {@link #answer} answers, in order. */
  public List<String> pathsInWhole() {
    return whole.keySet().stream().sorted().toList();
  }

  /**
   * Answers what is posted at one of the {@link #pathsInWhole} with one document, for clients that
   * come by no socket; what is wrong is a {@link weft.serve.ask.ProblemException}.
   */
  public ObjectNode answer(String path, Fields body, Client client) {
    if (body.flag("stream").orElse(false)) {
      throw Fields.bad("stream", "true", "false, or absent: this answer comes as a whole");
    }
    var handler = whole.get(path);
    if (handler == null) throw new ProblemException(new Problem.UnknownRoute());
    return handler.answer(body, client);
  }

  /** An id such as the vendor's, which says what it is of. */
  static String id(String kind) {
    return kind + "-" + UUID.randomUUID().toString().replace("-", "");
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public boolean owns(String path) {
    return true;
  }

  @Override
  public Refusal refusal(Problem problem, String request) {
    return error(problem);
  }

  /** A problem as OpenAI says it. */
  public static Refusal error(Problem problem) {
    return switch (problem) {
      case Problem.BadField bad -> invalid(400, bad, Optional.of(bad.name()), "invalid_value");
      case Problem.Unsupported bad ->
          invalid(400, bad, Optional.of(bad.name()), "unsupported_parameter");
      case Problem.BadBody bad -> invalid(400, bad, Optional.empty(), "invalid_json");
      case Problem.BadConversation bad ->
          invalid(400, bad, Optional.of("messages"), "invalid_value");
      case Problem.BadImage bad -> invalid(400, bad, Optional.of("messages"), "invalid_image");
      case Problem.UnknownModel unknown ->
          invalid(404, unknown, Optional.of("model"), "model_not_found");
      case Problem.ContextExceeded exceeded ->
          invalid(400, exceeded, Optional.of("messages"), "context_length_exceeded");
      case Problem.TooLarge large -> invalid(413, large, Optional.empty(), "request_too_large");
      case Problem.Packed packed ->
          invalid(415, packed, Optional.empty(), "unsupported_content_encoding");
      case Problem.Unauthorized unknown ->
          invalid(401, unknown, Optional.empty(), "invalid_api_key");
      case Problem.ForeignOrigin foreign ->
          invalid(403, foreign, Optional.empty(), "origin_not_allowed");
      case Problem.UnknownRoute unknown -> invalid(404, unknown, Optional.empty(), "unknown_url");
      case Problem.NotFound missing -> invalid(404, missing, Optional.empty(), "not_found");
      case Problem.UnknownPrevious missing ->
          invalid(400, missing, Optional.of("previous_response_id"), "previous_response_not_found");
      case Problem.WrongMethod wrong ->
          invalid(405, wrong, Optional.empty(), "method_not_supported");
      case Problem.NotServed missing ->
          refusal(501, missing, "server_error", Optional.empty(), "not_supported");
      case Problem.Busy busy ->
          refusal(429, busy, "rate_limit_error", Optional.empty(), "rate_limit_exceeded");
      case Problem.Leaving leaving ->
          refusal(503, leaving, "server_error", Optional.empty(), "service_unavailable");
      case Problem.UnloadableModel broken ->
          refusal(500, broken, "server_error", Optional.of("model"), "model_not_loaded");
      case Problem.Internal internal ->
          refusal(500, internal, "server_error", Optional.empty(), "internal_error");
    };
  }

  private static Refusal invalid(
      int status, Problem problem, Optional<String> parameter, String code) {
    return refusal(status, problem, "invalid_request_error", parameter, code);
  }

  private static Refusal refusal(
      int status, Problem problem, String type, Optional<String> parameter, String code) {
    var body = Json.object();
    var error = body.putObject("error");
    error.put("message", problem.sentence());
    error.put("type", type);
    parameter.ifPresentOrElse(name -> error.put("param", name), () -> error.putNull("param"));
    error.put("code", code);
    return new Refusal(status, body);
  }
}
