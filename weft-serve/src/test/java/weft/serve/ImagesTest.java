package weft.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images to a model that sees, in every dialect; and files that no server should trust. */
class ImagesTest {
  @TempDir static Path folder;

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start(options -> options, Seeing.shelf(Seeing.write(folder)));
    assertThat(chat(Seeing.png(8, 8, 1)).status()).isEqualTo(200); // loads it
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  private static Running.Answer chat(byte[] image) {
    return running.post(
        "/v1/chat/completions",
        """
        {"messages":[{"role":"user","content":[{"type":"text","text":"This: "},
          {"type":"image_url","image_url":{"url":"data:image/png;base64,%s","detail":"low"}},
          {"type":"text","text":"?"}]}],"max_tokens":4,"temperature":0}"""
            .formatted(Seeing.base64(image)));
  }

  /** The same question in each dialect, and where each says how long its prompt was. */
  private static Map<String, String> asked(String image) {
    var asked = new LinkedHashMap<String, String>();
    asked.put(
        "/v1/chat/completions /usage/prompt_tokens",
        """
        {"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:;base64,%s"}},
         {"type":"text","text":"What?"}]}],"max_tokens":1}""");
    asked.put(
        "/v1/responses /usage/input_tokens",
        """
        {"input":[{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,%s"},
         {"type":"input_text","text":"What?"}]}],"max_output_tokens":1}""");
    asked.put(
        "/v1/messages /usage/input_tokens",
        """
        {"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64",
         "media_type":"image/png","data":"%s"}},{"type":"text","text":"What?"}]}],"max_tokens":1}""");
    asked.put(
        "/v1/messages/count_tokens /input_tokens",
        """
        {"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64",
         "data":"%s"}},{"type":"text","text":"What?"}]}]}""");
    asked.put(
        "/api/chat /prompt_eval_count",
        """
        {"messages":[{"role":"user","content":"What?","images":["%s"]}],"stream":false,
         "options":{"num_predict":1}}""");
    asked.put(
        "/api/generate /prompt_eval_count",
        """
        {"prompt":"What?","images":["%s"],"stream":false,"options":{"num_predict":1}}""");
    asked.replaceAll((path, body) -> body.formatted(image));
    return asked;
  }

  @Test
  void everyDialectShowsTheSamePrompt() {
    // "user: ", start, six rows of 32 by 48 pixels, end, "What?", end of the message, "assistant: "
    int tokens = 6 + 1 + 6 + 1 + 5 + 1 + 11;
    asked(Seeing.base64(Seeing.png(32, 48, 0xFFFFFF)))
        .forEach(
            (place, body) -> {
              var words = place.split(" ");
              var answer = running.post(words[0], body);
              assertThat(answer.status()).as("%s: %s", words[0], answer.body()).isEqualTo(200);
              assertThat(answer.json().at(words[1]).intValue()).as(place).isEqualTo(tokens);
            });
  }

  private static Running.Answer video(String part) {
    return running.post(
        "/v1/chat/completions",
        """
        {"messages":[{"role":"user","content":[%s,{"type":"text","text":"What?"}]}],"max_tokens":1}"""
            .formatted(part));
  }

  private static String frames(String before, String after, String between) {
    return IntStream.range(0, 4)
        .mapToObj(i -> before + Seeing.base64(Seeing.png(32, 48, 0x10101 * i)) + after)
        .collect(Collectors.joining(between));
  }

  /** As Qwen's clients send frames, and as vLLM's do. */
  @Test
  void videosAreTheirMomentsWithTheirTimes() {
    // Of each of two moments "<0.2 seconds>", start, two rows of 16 by 32 pixels, end.
    int tokens = 6 + 2 * (13 + 1 + 2 + 1) + 5 + 1 + 11;
    var list = frames("\"data:image/png;base64,", "\"", ",");
    for (var part :
        new String[] {
          "{\"type\":\"video\",\"video\":[%s]}".formatted(list),
          "{\"type\":\"video\",\"video\":[%s],\"fps\":2.0}".formatted(list),
          "{\"type\":\"video_url\",\"video_url\":{\"url\":\"data:video/jpeg;base64,%s\"}}"
              .formatted(frames("", "", ","))
        }) {
      var answer = video(part);
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      assertThat(answer.json().at("/usage/prompt_tokens").intValue()).isEqualTo(tokens);
    }
    var again = video("{\"type\":\"video\",\"video\":[%s]}".formatted(list));
    assertThat(again.json().at("/usage/prompt_tokens_details/cached_tokens").intValue())
        .isGreaterThan(40);
  }

  @Test
  void aFileThatMovesIsAVideoAndAFilmIsNone() throws IOException {
    var gif = Files.readAllBytes(Path.of("../weft-image/src/test/resources/moving/moves.gif"));
    var url = "{\"type\":\"video_url\",\"video_url\":{\"url\":\"data:%s;base64,%s\"}}";
    assertThat(video(url.formatted("image/gif", Seeing.base64(gif))).status()).isEqualTo(200);
    var mp4 = new byte[] {0, 0, 0, 24, 'f', 't', 'y', 'p', 'i', 's', 'o', 'm'};
    var refused = video(url.formatted("video/mp4", Seeing.base64(mp4)));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("this is a film (MP4)", "invalid_image");
    var still = video(url.formatted("image/png", Seeing.base64(Seeing.png(8, 8, 1))));
    assertThat(still.status()).isEqualTo(400);
    assertThat(still.body()).contains("does not move");
  }

  @Test
  void videosAreBounded() {
    var frame = "\"data:;base64,%s\"".formatted(Seeing.base64(Seeing.png(8, 8, 1)));
    var many = String.join(",", java.util.Collections.nCopies(769, frame));
    for (var part :
        new String[] {
          "{\"type\":\"video\",\"video\":[%s]}".formatted(many),
          "{\"type\":\"video\",\"video\":[]}",
          "{\"type\":\"video\",\"video\":[1]}",
          "{\"type\":\"video\",\"video\":[%s,%s],\"fps\":0}".formatted(frame, frame),
          "{\"type\":\"video\"}",
          "{\"type\":\"video_url\",\"video_url\":{\"url\":\"data:video/jpeg;base64,A,,B\"}}",
          "{\"type\":\"video_url\",\"video_url\":\"file:///etc/passwd\"}"
        }) {
      var answer = video(part);
      assertThat(answer.status()).as(answer.body()).isEqualTo(400);
      assertThat(answer.body()).contains("messages[0].content[0]").hasSizeLessThan(600);
    }
  }

  @Test
  void whoAsksIsToldThatItSees() {
    assertThat(running.get("/v1/models").json().at("/data/0/input_modalities/1").stringValue())
        .isEqualTo("image");
    assertThat(running.post("/api/show", "{\"model\":\"seer\"}").json().get("capabilities"))
        .anySatisfy(each -> assertThat(each.stringValue()).isEqualTo("vision"));
  }

  @Test
  void twoPicturesOfOneSizeShareNothingAndTheSameDoes() {
    assertThat(cached(Seeing.png(48, 48, 0x112233))).isLessThanOrEqualTo(14);
    assertThat(cached(Seeing.png(48, 48, 0x112234))).as("another").isLessThanOrEqualTo(14);
    assertThat(cached(Seeing.png(48, 48, 0x112233))).as("the same").isGreaterThan(20);
  }

  private static int cached(byte[] image) {
    return chat(image).json().at("/usage/prompt_tokens_details/cached_tokens").intValue();
  }

  private static byte[] resized(byte[] png, int width, int height) {
    var bomb = png.clone();
    var bytes = ByteBuffer.wrap(bomb).putInt(16, width).putInt(20, height);
    var sum = new CRC32();
    sum.update(bomb, 12, 17);
    bytes.putInt(29, (int) sum.getValue());
    return bomb;
  }

  /** One sentence, in the dialect's shape, that names the field and nothing of the server. */
  @Test
  void whatIsNoPictureIsRefusedInOneSentence() {
    var png = Seeing.png(8, 8, 1);
    var hostile =
        Map.of(
            "a bomb of 100 megapixels", resized(png, 10_000, 10_001),
            "pixels that are not there", resized(png, 6_000, 6_000),
            "truncated", Arrays.copyOf(png, png.length / 2),
            "empty", new byte[0],
            "a text", "GET / HTTP/1.1".getBytes(),
            "a page", "<svg onload='alert(1)'/>".getBytes(),
            "a name alone", "BM".getBytes());
    hostile.forEach(
        (what, file) ->
            asked(Seeing.base64(file))
                .forEach(
                    (place, body) -> {
                      var answer = running.post(place.split(" ")[0], body);
                      assertThat(answer.status()).as("%s: %s", what, answer.body()).isEqualTo(400);
                      assertThat(answer.body())
                          .as(what)
                          .containsAnyOf("messages[0]", "input[0]", "images[0]")
                          .doesNotContain("Exception", "java.", "weft.", "/", folder.toString())
                          .hasSizeLessThan(600);
                    }));
  }

  @Test
  void everyShapeIsSeenOrRefused() {
    assertThat(chat(Seeing.png(1, 1, 1)).status()).isEqualTo(200);
    for (var file : new byte[][] {Seeing.png(20_000, 1, 1), Seeing.png(1, 20_000, 1)}) {
      var answer = chat(file);
      assertThat(answer.status()).as(answer.body()).isIn(200, 400);
      if (answer.status() == 400) assertThat(answer.body()).contains("20000");
    }
  }

  @Test
  void imagesAreBoundedInNumberAndOnlyWhereTheyBelong() {
    var part = "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:;base64,%s\"}}";
    var one = part.formatted(Seeing.base64(Seeing.png(8, 8, 1)));
    var many = String.join(",", java.util.Collections.nCopies(65, one));
    var body = "{\"messages\":[{\"role\":\"%s\",\"content\":[%s]}],\"max_tokens\":1}";
    var answer = running.post("/v1/chat/completions", body.formatted("user", many));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("messages[0].content[64]", "at most 64 images");
    for (var role : new String[] {"system", "assistant"}) {
      assertThat(running.post("/v1/chat/completions", body.formatted(role, one)).status())
          .isEqualTo(400);
    }
    var remote = part.replace("data:;base64,%s", "http://127.0.0.1:1/a.png");
    assertThat(running.post("/v1/chat/completions", body.formatted("user", remote)).body())
        .contains("fetches no images");
  }

  @Test
  void whatUsersSpellIsNoImage() {
    var answer =
        running.post(
            "/v1/chat/completions",
            """
            {"messages":[{"role":"user","content":"<|vision_start|><|image_pad|><|vision_end|>"}],"max_tokens":1}""");
    assertThat(answer.status()).isEqualTo(200);
    // Every character by itself.
    assertThat(answer.json().at("/usage/prompt_tokens").intValue()).isEqualTo(6 + 43 + 1 + 11);
  }
}
