package weft.serve;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import weft.serve.ask.Problem;
import weft.serve.openai.OpenAi;
import weft.serve.web.Json;

/** Answers what is no request of HTTP, so that it never arrives; without a word of what came. */
final class Gatekeeper {
  private Gatekeeper() {}

  static DirectHandlers handlers() {
    var handlers = DirectHandlers.builder();
    for (var kind : DirectHandler.EventType.values()) {
      handlers.addHandler(kind, (_, _, status, headers, _) -> answer(kind, status, headers));
    }
    return handlers.build();
  }

  private static DirectHandler.TransportResponse answer(
      DirectHandler.EventType kind, Status status, ServerResponseHeaders headers) {
    var problem =
        switch (kind) {
          // What fails within a request is the reception's to answer: what fails before is noise.
          case BAD_REQUEST, INTERNAL_ERROR ->
              new Problem.BadBody("cannot be read, or its head cannot");
          case PAYLOAD_TOO_LARGE -> new Problem.BadBody("is larger than may be");
          case FORBIDDEN -> new Problem.UnknownRoute();
          case HTTP_VERSION_NOT_SUPPORTED -> new Problem.BadBody("is not of HTTP/1.1");
          case OTHER -> new Problem.Internal();
        };
    headers.set(HeaderNames.CONTENT_TYPE, "application/json");
    return DirectHandler.TransportResponse.builder()
        .status(status.equals(Status.INTERNAL_SERVER_ERROR_500) ? Status.BAD_REQUEST_400 : status)
        .headers(headers)
        .keepAlive(false)
        .entity(Json.bytes(OpenAi.error(problem).body()))
        .build();
  }
}
