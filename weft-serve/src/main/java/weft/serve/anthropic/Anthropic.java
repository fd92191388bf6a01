package weft.serve.anthropic;

import java.util.List;
import java.util.UUID;
import weft.serve.ask.Answering;
import weft.serve.ask.Problem;
import weft.serve.web.Dialect;
import weft.serve.web.Json;
import weft.serve.web.Route;

/** Anthropic's interface: its routes, and its shape of errors. */
public final class Anthropic implements Dialect {
  private static final String PLACE = "/v1/messages";

  /** A header that clients of this dialect alone send. */
  private static final String VERSION = "anthropic-version";

  private final List<Route> routes;

  public Anthropic(Answering answering) {
    var messages = new Messages(answering);
    var models = new ModelList(answering.shelf());
    this.routes =
        List.of(
            Route.post(PLACE, messages::answer),
            Route.post(PLACE + "/count_tokens", messages::count),
            Route.get("/v1/models", models::all).onlyWith(VERSION),
            Route.get("/v1/models/{id...}", models::one).onlyWith(VERSION));
  }

  /** An id such as the vendor's, which says what it is of. */
  static String id(String kind) {
    return kind + "_" + UUID.randomUUID().toString().replace("-", "");
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public boolean owns(String path) {
    return path.equals(PLACE) || path.startsWith(PLACE + "/");
  }

  @Override
  public String idHeader() {
    return "request-id";
  }

  @Override
  public Refusal refusal(Problem problem, String request) {
    return error(problem, request);
  }

  static Refusal error(Problem problem, String request) {
    var refusal = error(problem);
    refusal.body().put("request_id", request);
    return refusal;
  }

  private static Refusal error(Problem problem) {
    return switch (problem) {
      case Problem.BadField _,
          Problem.Unsupported _,
          Problem.BadBody _,
          Problem.BadConversation _,
          Problem.BadImage _,
          Problem.ContextExceeded _ ->
          refusal(400, "invalid_request_error", problem);
      case Problem.Packed _ -> refusal(415, "invalid_request_error", problem);
      case Problem.Unauthorized _ -> refusal(401, "authentication_error", problem);
      case Problem.UnknownModel _,
          Problem.UnknownRoute _,
          Problem.NotFound _,
          Problem.UnknownPrevious _ ->
          refusal(404, "not_found_error", problem);
      case Problem.WrongMethod _ -> refusal(405, "invalid_request_error", problem);
      case Problem.ForeignOrigin _ -> refusal(403, "permission_error", problem);
      case Problem.TooLarge _ -> refusal(413, "request_too_large", problem);
      case Problem.Busy _ -> refusal(429, "rate_limit_error", problem);
      case Problem.Leaving _ -> refusal(503, "overloaded_error", problem);
      case Problem.NotServed _ -> refusal(501, "api_error", problem);
      case Problem.UnloadableModel _, Problem.Internal _ -> refusal(500, "api_error", problem);
    };
  }

  /** Clients know by the vendor's own words that a conversation is to be made shorter. */
  private static String sentence(Problem problem) {
    return problem instanceof Problem.ContextExceeded(int tokens, int context)
        ? "prompt is too long: %d tokens > %d maximum".formatted(tokens, context)
        : problem.sentence();
  }

  private static Refusal refusal(int status, String type, Problem problem) {
    var body = Json.object().put("type", "error");
    var error = body.putObject("error").put("type", type).put("message", sentence(problem));
    boolean isThread =
        problem instanceof Problem.Unsupported(var name, _) && name.equals(Messages.THREAD);
    if (isThread) { // by this the vendor's clients go on without one
      var details = error.putObject("details").put("error_code", "thread_unsupported_request");
      details.putArray("unsupported").add(Messages.THREAD);
    }
    return new Refusal(status, body);
  }
}
