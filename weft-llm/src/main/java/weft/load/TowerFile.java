package weft.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import weft.format.Checkpoint;
import weft.format.Format;
import weft.format.FormatException;
import weft.models.Towers;
import weft.net.TowerFamily;

/**
 * Where a model's vision tower is: in a file that was named, in the model's own folder, or in a
 * file beside it. A file of its own is opened here, and closed by who has this.
 *
 * @param isOwn whether the checkpoint is a file of its own
 */
record TowerFile(Checkpoint checkpoint, TowerFamily family, boolean isOwn)
    implements AutoCloseable {
  private static final String PATTERN = "mmproj*.gguf";

  /** The tower of a model; empty where there is none. */
  static Optional<TowerFile> of(Checkpoint model, LoadOptions options) {
    if (options.tower().isPresent()) return Optional.of(named(options.tower().get(), model));
    return switch (model.format()) {
      case SAFETENSORS ->
          model.metadata().string("vision_config.model_type").flatMap(type -> inside(model, type));
      case GGUF -> beside(model, options);
    };
  }

  private static TowerFile named(Path path, Checkpoint model) {
    var file = Checkpoint.open(path);
    try {
      var family = announced(file).orElseThrow(() -> unknown(file));
      if (!fits(family, model)) {
        throw new LoadException(
            "%s sees for %s models, and %s is another"
                .formatted(path.getFileName(), family.name(), model.path().getFileName()));
      }
      return new TowerFile(file, family, true);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private static Optional<TowerFile> inside(Checkpoint model, String type) {
    return Towers.all().stream()
        .filter(family -> family.transformersTypes().contains(type))
        .findFirst()
        .map(family -> new TowerFile(model, family, false))
        // A text model that was cut out of another keeps the other's words.
        .filter(found -> found.view().has("v.patch_embd.weight"));
  }

  /** The one file beside a model that fits it, or the one named after it. */
  private static Optional<TowerFile> beside(Checkpoint model, LoadOptions options) {
    if (Towers.all().stream().noneMatch(family -> fits(family, model))) return Optional.empty();
    var fitting = besides(model.path()).stream().filter(path -> fits(path, model)).toList();
    var after = "mmproj-" + model.path().getFileName();
    var chosen =
        fitting.stream().filter(path -> path.getFileName().toString().equals(after)).findFirst();
    if (chosen.isEmpty() && fitting.size() > 1) {
      options
          .warnings()
          .accept(
              "several vision towers are beside %s: %s; it sees nothing unless one is named (--mmproj)"
                  .formatted(
                      model.path().getFileName(),
                      fitting.stream().map(Path::getFileName).toList()));
      return Optional.empty();
    }
    return chosen.or(() -> fitting.stream().findFirst()).map(path -> named(path, model));
  }

  private static List<Path> besides(Path model) {
    var folder = model.toAbsolutePath().getParent();
    try (Stream<Path> files = Files.list(folder)) {
      var matcher = folder.getFileSystem().getPathMatcher("glob:" + PATTERN);
      return files.filter(file -> matcher.matches(file.getFileName())).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  /** A file that cannot be read is nobody's tower unless it is named. */
  private static boolean fits(Path path, Checkpoint model) {
    try (var file = Checkpoint.open(path)) {
      long width = file.metadata().integer("clip.vision.projection_dim").orElse(0);
      return announced(file).filter(family -> fits(family, model)).isPresent()
          && width == width(model);
    } catch (FormatException e) {
      return false;
    }
  }

  private static long width(Checkpoint model) {
    var architecture = model.metadata().string("general.architecture").orElse("");
    return model.metadata().integer(architecture + ".embedding_length").orElse(-1);
  }

  private static boolean fits(TowerFamily family, Checkpoint model) {
    var announced = CheckpointView.announced(model);
    return switch (model.format()) {
      case GGUF -> announced.stream().anyMatch(family.texts()::contains);
      case SAFETENSORS ->
          LanguageModel.familyOf(model)
              .filter(text -> text.ggufArchitectures().stream().anyMatch(family.texts()::contains))
              .isPresent();
    };
  }

  private static Optional<TowerFamily> announced(Checkpoint file) {
    var projector =
        file.metadata()
            .string("clip.projector_type")
            .or(() -> file.metadata().string("clip.vision.projector_type"))
            .orElse("");
    return file.format() == Format.GGUF
        ? Towers.all().stream().filter(f -> f.projectors().contains(projector)).findFirst()
        : Optional.empty();
  }

  private static LoadException unknown(Checkpoint file) {
    return new LoadException(
        "%s is no vision tower that weft knows: its projector is %s, expected one of %s in a GGUF file"
            .formatted(
                file.path().getFileName(),
                file.metadata().string("clip.projector_type").orElse("not said"),
                Towers.all().stream().flatMap(f -> f.projectors().stream()).toList()));
  }

  CheckpointView view() {
    return CheckpointView.of(checkpoint, family.naming());
  }

  /** Where the settings of its processor are. */
  Path folder() {
    var path = checkpoint.path();
    return Files.isDirectory(path) ? path : path.toAbsolutePath().getParent();
  }

  @Override
  public void close() {
    if (isOwn) checkpoint.close();
  }
}
