package weft.serve.ollama;

import java.util.List;
import weft.serve.ask.Answering;
import weft.serve.ask.Problem;
import weft.serve.web.Dialect;
import weft.serve.web.Json;
import weft.serve.web.Missing;
import weft.serve.web.Route;

/** Ollama's interface: its routes, and its shape of errors. */
public final class Ollama implements Dialect {
  private static final String PLACE = "/api/";

  private static final Missing KEPT =
      new Missing("this server has the models that it was started with; /api/tags lists them");

  private final List<Route> routes;

  public Ollama(Answering answering) {
    var chat = new Chat(answering);
    var embed = new Embed(answering);
    var shelf = new Listing(answering);
    this.routes =
        List.of(
            Route.post(PLACE + "chat", chat::chat),
            Route.post(PLACE + "generate", chat::generate),
            Route.post(PLACE + "embed", embed::several),
            Route.post(PLACE + "embeddings", embed::one),
            Route.get(PLACE + "tags", shelf::tags),
            Route.get(PLACE + "ps", shelf::running),
            Route.post(PLACE + "show", shelf::show),
            Route.get(PLACE + "version", shelf::version),
            Route.post(PLACE + "pull", KEPT),
            Route.post(PLACE + "push", KEPT),
            Route.post(PLACE + "create", KEPT),
            Route.post(PLACE + "copy", KEPT),
            Route.delete(PLACE + "delete", KEPT));
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public boolean owns(String path) {
    return path.startsWith(PLACE);
  }

  @Override
  public Refusal refusal(Problem problem, String request) {
    return new Refusal(status(problem), Json.object().put("error", sentence(problem)));
  }

  /** Clients look for the vendor's own words where a model is missing. */
  private static String sentence(Problem problem) {
    return problem instanceof Problem.UnknownModel(var name, var served)
        ? "model '%s' not found; there are %s".formatted(name, served)
        : problem.sentence();
  }

  private static int status(Problem problem) {
    return switch (problem) {
      case Problem.BadField _,
          Problem.Unsupported _,
          Problem.BadBody _,
          Problem.BadConversation _,
          Problem.BadImage _,
          Problem.ContextExceeded _ ->
          400;
      case Problem.Unauthorized _ -> 401;
      case Problem.ForeignOrigin _ -> 403;
      case Problem.UnknownModel _,
          Problem.UnknownRoute _,
          Problem.NotFound _,
          Problem.UnknownPrevious _ ->
          404;
      case Problem.WrongMethod _ -> 405;
      case Problem.TooLarge _ -> 413;
      case Problem.Packed _ -> 415;
      case Problem.Busy _ -> 429;
      case Problem.Leaving _ -> 503;
      case Problem.NotServed _ -> 501;
      case Problem.UnloadableModel _, Problem.Internal _ -> 500;
    };
  }
}
