package weft.serve.plain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import weft.serve.Running;

class PlainTest {
  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void healthIsSaid() {
    assertThat(running.get("/health").json().get("status").stringValue()).isEqualTo("ok");
    assertThat(running.get("/health/live").status()).isEqualTo(200);
    assertThat(running.get("/health/ready").status()).isEqualTo(200);
    assertThat(running.get("/v1/health").status()).isEqualTo(200);
  }

  @Test
  void whatHappenedIsCounted() {
    running.post("/v1/completions", "{\"prompt\":\"Once\",\"max_tokens\":3}");
    running.get("/metrics");
    var text = running.get("/metrics").body();
    assertThat(text)
        .contains("weft_tokens_generated_total")
        .contains("route=\"/v1/completions\"")
        .contains("status=\"200\"")
        .contains("weft_first_token_seconds_bucket")
        .contains("weft_engine_waiting{model=\"weft-tiny\"")
        .contains("# TYPE weft_engine_steps_total counter")
        .contains("weft_kv_bytes")
        .contains("weft_pass_tokens{model=\"weft-tiny\"");
  }

  @Test
  void whatThereIsIsListed() {
    var paths = running.get("/openapi.json").json().get("paths");
    assertThat(paths.propertyNames())
        .contains("/v1/chat/completions", "/v1/models/{id}", "/tokenize", "/health")
        .doesNotContain("/slots", "/api/pull");
    var answers = paths.at("/~1v1~1chat~1completions/post/responses/200/content");
    assertThat(answers.propertyNames()).contains("application/json", "text/event-stream");
    assertThat(paths.at("/~1v1~1models~1{id}/get/parameters/0/name").stringValue()).isEqualTo("id");
  }

  @Test
  void modelsAreListedWithTheirState() {
    running.post("/v1/completions", "{\"prompt\":\"Once\",\"max_tokens\":1}");
    var model = running.get("/v1/models").json().at("/data/0");
    assertThat(model.get("id").stringValue()).isEqualTo(Running.MODEL);
    assertThat(model.get("state").stringValue()).isEqualTo("loaded");
    assertThat(running.get("/v1/models/" + Running.MODEL).json().get("id"))
        .isEqualTo(model.get("id"));
    var missing = running.get("/v1/models/org/none");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.json().at("/error/code").stringValue()).isEqualTo("model_not_found");
  }
}
