package weft.serve.batch;

import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;
import weft.serve.web.Json;

/** What is said of a line, as OpenAI's batches have it. */
final class BatchAnswer {
  private BatchAnswer() {}

  /** A request's answer, good or not. */
  static ObjectNode of(BatchLine.Asked line, int status, ObjectNode body) {
    var answer = head(Optional.of(line.id()));
    answer
        .putObject("response")
        .put("status_code", status)
        .put("request_id", "req_" + unique())
        .set("body", body);
    answer.putNull("error");
    return answer;
  }

  /** What is wrong with a line that is no request. */
  static ObjectNode of(BatchLine.Wrong line) {
    var answer = head(line.id());
    answer.putNull("response");
    answer
        .putObject("error")
        .put("code", line.code())
        .put("message", line.message())
        .put("line", line.number());
    return answer;
  }

  private static ObjectNode head(Optional<String> id) {
    var head = Json.object().put("id", BatchOutput.ID + unique());
    id.ifPresentOrElse(given -> head.put("custom_id", given), () -> head.putNull("custom_id"));
    return head;
  }

  private static String unique() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  /** How many tokens were made for an answer, by either of the vendor's names. */
  static int tokens(ObjectNode answer) {
    var usage = answer.at("/response/body/usage");
    return usage.path("completion_tokens").asInt(usage.path("output_tokens").asInt(0));
  }
}
