package weft.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import weft.image.FilmRules;
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
  /** Where Transformers keeps settings: a file, or a part of one. */
  private record Source(String file, String part) {
    JsonNode in(Path folder) {
      var path = folder.resolve(file);
      if (!Files.exists(path)) return MissingNode.getInstance();
      var all = read(path);
      return part.isEmpty() ? all : all.path(part);
    }
  }

  private static final List<Source> PICTURES =
      List.of(
          new Source("preprocessor_config.json", ""),
          new Source("processor_config.json", "image_processor"),
          new Source("preprocessor.json", ""));

  /** What holds for pictures holds for videos where nothing else is said. */
  private static final List<Source> VIDEOS =
      Stream.concat(
              Stream.of(
                  new Source("video_preprocessor_config.json", ""),
                  new Source("processor_config.json", "video_processor")),
              PICTURES.stream())
          .toList();

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

  /** What Qwen's processors take of videos where nothing is said. */
  private static final long FEWEST_FILMED = 128 * 32 * 32;

  private static final long MOST_FILMED = 768 * 32 * 32;
  private static final double FRAMES_A_SECOND = 2;
  private static final int FEWEST_FRAMES = 4;
  private static final int MOST_FRAMES = 768;

  /** Frames of a video for a model that knows pictures alone. */
  private static final int MOST_PICTURES = 64;

  private final Tower.Shape shape;
  private final Meta meta;
  private final JsonNode settings;

  private Preprocessing(Tower.Shape shape, Meta meta, JsonNode settings) {
    this.shape = shape;
    this.meta = meta;
    this.settings = settings;
  }

  /** For pictures, of a tower whose files are in a folder. */
  static PatchRules of(Tower.Shape shape, Meta meta, Path folder) {
    return ready(shape, meta, folder, PICTURES, Preprocessing::rules);
  }

  /** For videos. */
  static FilmRules films(Tower.Shape shape, Meta meta, Path folder) {
    return ready(shape, meta, folder, VIDEOS, Preprocessing::filmRules);
  }

  private static <T> T ready(
      Tower.Shape shape,
      Meta meta,
      Path folder,
      List<Source> sources,
      Function<Preprocessing, T> rules) {
    var settings =
        switch (meta.convention()) {
          case GGUF -> MissingNode.getInstance();
          case TRANSFORMERS -> settings(folder, sources);
        };
    try {
      return rules.apply(new Preprocessing(shape, meta, settings));
    } catch (ImageException e) {
      throw new LoadException("pictures cannot be made ready for this tower: " + e.getMessage(), e);
    }
  }

  private static JsonNode settings(Path folder, List<Source> sources) {
    return sources.stream()
        .map(source -> source.in(folder))
        .filter(settings -> !settings.isMissingNode())
        .findFirst()
        .orElseGet(MissingNode::getInstance);
  }

  private static JsonNode read(Path file) {
    try {
      var text = SmallInput.text(file, SmallInput.file(file, LONGEST_FILE));
      return JsonMapper.shared().readTree(text);
    } catch (IOException e) {
      throw new LoadException(e.getMessage(), e);
    } catch (JacksonException e) {
      throw new LoadException(file + " is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  private FilmRules filmRules() {
    // Who knows no videos is shown pictures.
    if (shape.side() > 0) {
      return new FilmRules(FRAMES_A_SECOND, 1, MOST_PICTURES, 1, rules());
    }
    int depth = shape.frames() * shape.filters();
    long row = (long) shape.patch() * shape.merge() * shape.patch() * shape.merge();
    boolean isGguf = meta.convention() == Meta.Convention.GGUF;
    long fewest = isGguf ? FEWEST_ROWS * row : FEWEST_FILMED;
    long most = isGguf ? depth * MOST_ROWS * row : MOST_FILMED;
    var sizing =
        new Sizing.Filmed(
            filmed("min_pixels", "shortest_edge", fewest),
            filmed("max_pixels", "longest_edge", most),
            depth,
            depth);
    return new FilmRules(
        settings.path("fps").asDouble(FRAMES_A_SECOND),
        settings.path("min_frames").asInt(FEWEST_FRAMES),
        settings.path("max_frames").asInt(MOST_FRAMES),
        depth,
        rules(sizing));
  }

  /** Of all frames together; a processor may allow more than is ever in memory here. */
  private long filmed(String said, String edge, long otherwise) {
    return (long) Math.min(said(said, edge).orElse(otherwise), Pictures.MOST_PIXELS);
  }

  private PatchRules rules() {
    return rules(sizing());
  }

  private PatchRules rules(Sizing sizing) {
    return new PatchRules(
        sizing,
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
    double value = said(said, edge).orElse(meta.real(key, Range.FACTOR, otherwise));
    if (value != Math.rint(value) || value < 1 || value > Pictures.MOST_PIXELS) {
      throw new LoadException(
          "the processor's %s is %s, expected pixels from 1 to %d"
              .formatted(said, value, Pictures.MOST_PIXELS));
    }
    return (long) value;
  }

  /** The older name goes first, as in Transformers. */
  private OptionalDouble said(String said, String edge) {
    return Stream.of(settings.path(said), settings.path("size").path(edge))
        .filter(JsonNode::isNumber)
        .mapToDouble(JsonNode::asDouble)
        .findFirst();
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
