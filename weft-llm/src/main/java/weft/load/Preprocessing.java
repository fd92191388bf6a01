package weft.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import weft.image.ImageException;
import weft.image.PatchRules;
import weft.image.Pictures;
import weft.image.Resampling;
import weft.image.Sizing;
import weft.input.SmallInput;
import weft.net.Meta;
import weft.net.Range;
import weft.net.Tower;

/** How pictures are made ready for a tower: as its processor's file says, or its own keys. */
final class Preprocessing {
  /** Where Transformers keeps the settings; in the second they are one level down. */
  private static final List<String> FILES =
      List.of("preprocessor_config.json", "processor_config.json", "preprocessor.json");

  private static final int LONGEST_FILE = 1 << 20;

  /** Pillow's numbers of filters. */
  private static final int BILINEAR = 2;

  private static final int BICUBIC = 3;

  /** What Qwen's processors take where nothing is said. */
  private static final long FEWEST_PIXELS = 256 * 256;

  private static final long USUAL_PIXELS = 4096 * 4096;

  /** GGUF files that say nothing: rows of a picture in a text, as llama.cpp has it for the most. */
  private static final int FEWEST_ROWS = 4;

  private static final int MOST_ROWS = 4096;

  private final Tower.Shape shape;
  private final Meta meta;
  private final JsonNode settings;

  private Preprocessing(Tower.Shape shape, Meta meta, JsonNode settings) {
    this.shape = shape;
    this.meta = meta;
    this.settings = settings;
  }

  /** For a tower whose files are in a folder. */
  static PatchRules of(Tower.Shape shape, Meta meta, Path folder) {
    var settings =
        switch (meta.convention()) {
          case GGUF -> MissingNode.getInstance();
          case TRANSFORMERS -> settings(folder);
        };
    try {
      return new Preprocessing(shape, meta, settings).rules();
    } catch (ImageException e) {
      throw new LoadException("pictures cannot be made ready for this tower: " + e.getMessage(), e);
    }
  }

  private static JsonNode settings(Path folder) {
    return FILES.stream()
        .map(folder::resolve)
        .filter(Files::exists)
        .findFirst()
        .map(Preprocessing::read)
        .orElseGet(MissingNode::getInstance);
  }

  private static JsonNode read(Path file) {
    try {
      var text = SmallInput.text(file, SmallInput.file(file, LONGEST_FILE));
      var all = JsonMapper.shared().readTree(text);
      return all.has("image_processor") ? all.path("image_processor") : all;
    } catch (IOException e) {
      throw new LoadException(e.getMessage(), e);
    } catch (JacksonException e) {
      throw new LoadException(file + " is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private PatchRules rules() {
    return new PatchRules(
        sizing(),
        resampling(),
        shape.patch(),
        shape.merge(),
        shape.frames(),
        colour("image_mean", "vision.image_mean"),
        colour("image_std", "vision.image_std"));
  }

  private Sizing sizing() {
    if (shape.side() > 0) return new Sizing.Fixed(shape.side(), shape.side());
    boolean isGguf = meta.convention() == Meta.Convention.GGUF;
    long row = (long) shape.patch() * shape.merge() * shape.patch() * shape.merge();
    long fewest = isGguf ? FEWEST_ROWS * row : FEWEST_PIXELS;
    long most = isGguf ? Math.min(MOST_ROWS * row, Pictures.MOST_PIXELS) : USUAL_PIXELS;
    return new Sizing.Within(
        pixels("min_pixels", "shortest_edge", "vision.image_min_pixels", fewest),
        pixels("max_pixels", "longest_edge", "vision.image_max_pixels", most));
  }

  private long pixels(String said, String edge, String key, long otherwise) {
    // The older name goes first, as in Transformers.
    var found =
        Stream.of(settings.path(said), settings.path("size").path(edge))
            .filter(JsonNode::isNumber)
            .mapToDouble(JsonNode::asDouble)
            .findFirst();
    double value = found.orElse(meta.real(key, Range.FACTOR, otherwise));
    if (value != Math.rint(value) || value < 1 || value > Pictures.MOST_PIXELS) {
      throw new LoadException(
          "the processor's %s is %s, expected pixels from 1 to %d"
              .formatted(said, value, Pictures.MOST_PIXELS));
    }
    return (long) value;
  }

  private Resampling resampling() {
    var usual = shape.side() > 0 ? BILINEAR : BICUBIC;
    int number = settings.path("resample").asInt(usual);
    return switch (number) {
      case BILINEAR -> Resampling.BILINEAR;
      case BICUBIC -> Resampling.BICUBIC;
      default ->
          throw new LoadException(
              "the processor resizes by filter %d; weft knows %d (bilinear) and %d (bicubic)"
                  .formatted(number, BILINEAR, BICUBIC));
    };
  }

  private PatchRules.Colour colour(String said, String key) {
    var values =
        settings.path(said).isArray()
            ? settings.path(said).valueStream().map(JsonNode::asDouble).toList()
            : meta.numbers(key, Range.FACTOR);
    if (values.isEmpty()) return PatchRules.Colour.grey(0.5f);
    if (values.size() != 3) {
      throw new LoadException(
          "the processor's %s has %d numbers, expected one for each of red, green and blue"
              .formatted(said, values.size()));
    }
    return new PatchRules.Colour(
        values.get(0).floatValue(), values.get(1).floatValue(), values.get(2).floatValue());
  }
}
