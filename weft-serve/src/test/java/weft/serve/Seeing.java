package weft.serve;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.imageio.ImageIO;
import tools.jackson.databind.json.JsonMapper;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.serve.models.Room;
import weft.serve.models.Shelf;
import weft.serve.models.Source;

/** A tiny model with random weights that sees, and pictures to show it. */
public final class Seeing {
  public static final String MODEL = "seer";

  private static final Path GOLDEN =
      Path.of("../weft-llm/src/test/resources/golden/hf/qwen3-vl").toAbsolutePath();
  private static final int FIRST_BYTE = 3;

  private static final String TEMPLATE =
      """
      {%- for message in messages %}{{ message.role }}: {% if message.content is string %}{{ message.content }}
      {%- else %}{% for part in message.content %}{% if part.type == 'image' -%}
      <|vision_start|><|image_pad|><|vision_end|>{% elif part.type == 'video' -%}
      <|vision_start|><|video_pad|><|vision_end|>{% else %}{{ part.text }}{% endif %}{% endfor %}{% endif %}</s>
      {%- endfor %}{% if add_generation_prompt %}assistant: {% endif %}""";

  private Seeing() {}

  /** Writes the model to a folder: the golden's weights, and a tokenizer of bytes. */
  public static Path write(Path folder) {
    try {
      for (var name :
          List.of(
              "config.json", "generation_config.json", "preprocessor.json", "model.safetensors")) {
        Files.copy(GOLDEN.resolve(name), folder.resolve(name));
      }
      var mapper = new JsonMapper();
      Files.writeString(
          folder.resolve("tokenizer.json"), mapper.writeValueAsString(tokenizer(mapper)));
      Files.writeString(folder.resolve("chat_template.jinja"), TEMPLATE);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object tokenizer(JsonMapper mapper) {
    var document = mapper.createObjectNode();
    var added = document.putArray("added_tokens");
    var names =
        List.of(
            "<|video_pad|>", "<s>", "</s>", "<|image_pad|>", "<|vision_start|>", "<|vision_end|>");
    var model = document.putObject("model").put("type", "BPE");
    var vocabulary = model.putObject("vocab");
    for (int i = 0; i < names.size(); i++) {
      int id = i < FIRST_BYTE ? i : 256 + i;
      added.addObject().put("id", id).put("content", names.get(i)).put("special", true);
      vocabulary.put(names.get(i), id);
    }
    int beyond = 256;
    for (int b = 0; b < 256; b++) {
      boolean isPrinted = b > 32 && b < 127 || b > 160 && b != 173;
      vocabulary.put(Character.toString(isPrinted ? b : beyond++), FIRST_BYTE + b);
    }
    model.putArray("merges");
    var bytes = mapper.createObjectNode().put("type", "ByteLevel").put("add_prefix_space", false);
    document.set("pre_tokenizer", bytes.deepCopy().put("use_regex", false));
    document.set("decoder", bytes);
    return document;
  }

  /** The model in a folder, alone. */
  public static Shelf shelf(Path folder) {
    var options = LoadOptions.standard().withThreads(1);
    return new Shelf(
        List.of(new Source(MODEL, 1, () -> LanguageModel.load(folder, options))),
        Room.UNBOUNDED,
        Duration.ofSeconds(5));
  }

  public static byte[] png(int width, int height, int colour) {
    var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < width; x++) image.setRGB(x, x % height, colour);
    var out = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  public static String base64(byte[] file) {
    return Base64.getEncoder().encodeToString(file);
  }
}
