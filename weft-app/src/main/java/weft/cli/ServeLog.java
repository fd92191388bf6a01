package weft.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.Happening;

/** What a server tells its operator as JSON, a line each. */
final class ServeLog {
  private ServeLog() {}

  static String line(Happening happening) {
    var line = begin(kind(happening));
    switch (happening) {
      case Happening.Answered(var route, var method, int status, var taken) ->
          line.put("route", route)
              .put("method", method)
              .put("status", status)
              .put("ms", Json.milliseconds(taken));
      case Happening.Failed failed -> line.put("route", failed.route());
      case Happening.Leaving leaving -> line.put("inside", leaving.inside());
    }
    happening.sentence().ifPresent(sentence -> line.put("message", sentence));
    return Json.text(line);
  }

  /** What the server says of itself. */
  static String line(String sentence) {
    return Json.text(begin("server").put("message", sentence));
  }

  private static ObjectNode begin(String kind) {
    return Json.object()
        .put("time", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString())
        .put("event", kind);
  }

  private static String kind(Happening happening) {
    return switch (happening) {
      case Happening.Answered _ -> "request";
      case Happening.Failed _ -> "failure";
      case Happening.Leaving _ -> "shutdown";
    };
  }
}
