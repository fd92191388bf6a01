package weft.load;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.Step;
import weft.chat.FilmMarks;
import weft.chat.Glimpse;
import weft.chat.Marks;
import weft.chat.Sight;
import weft.format.Checkpoint;
import weft.format.FormatException;
import weft.format.Metadata;
import weft.format.MetadataValue;
import weft.generate.Gallery;
import weft.generate.Seen;
import weft.image.FilmRules;
import weft.image.PatchRules;
import weft.image.Patches;
import weft.image.Picture;
import weft.image.Reel;
import weft.lir.Bounds;
import weft.net.ModelException;
import weft.net.Range;
import weft.net.Tower;
import weft.net.TowerFamily;

/**
 * A vision tower on the model's device. Its programs are made for a size of pictures, and weights
 * stay where they are mapped. Owns the tower's file; safe for all threads, one of which looks at a
 * time.
 */
final class Vision implements Sight, AutoCloseable {
  /** What is kept of pictures that may be shown again. */
  private static final long MOST_REMEMBERED = 64L << 20;

  private static final List<String> PICTURE_TOKENS = List.of("image_token_id", "image_token_index");
  private static final List<String> FILM_TOKENS = List.of("video_token_id", "video_token_index");

  private final TowerFile file;
  private final Device device;
  private final CompiledModel model;
  private final Tower.Shape shape;
  private final PatchRules rules;
  private final FilmRules filmRules;
  private final PlaceTable places;
  private final Plan patches;
  private final Plan features;
  private final Supplier<ProgramLoader> loader;
  private final Supplier<Optional<Placeholder>> placeholder;
  private final Supplier<OptionalInt> filmPlaceholder;
  private final Gallery gallery = new Gallery();
  private final SequencedMap<String, Seen> known = new LinkedHashMap<>(); // guarded by itself
  private final TowerPrograms programs; // within the model's door
  private Optional<ProgramLoader> opened = Optional.empty(); // within the model's door

  private Vision(
      TowerFile file,
      Plans plans,
      CompiledModel model,
      Function<Plan, ProgramLoader> loaders,
      TextParts text) {
    this.file = file;
    this.device = plans.device();
    this.model = model;
    this.placeholder = new Once<>(() -> placeholder(file, text));
    this.filmPlaceholder =
        new Once<>(() -> row(file, text, file.family().films().written(), FILM_TOKENS));
    var view = file.view();
    var tower = file.family().read().apply(view);
    this.shape = tower.shape();
    this.rules = Preprocessing.of(shape, view, file.folder());
    this.filmRules = Preprocessing.films(shape, view, file.folder());
    this.places = PlaceTable.of(view.tensor(Tower.TABLE));
    this.patches = plans.tower(view, tower::patches);
    this.features = plans.tower(view, tower::features);
    this.loader = () -> loaders.apply(patches);
    this.programs = new TowerPrograms(device);
  }

  /**
   * The sight of a model, which closes it; empty where it has no tower. One that was not asked for
   * and cannot be used is warned of: the text of the model can.
   */
  static Optional<Sight> of(
      Checkpoint checkpoint,
      Plans plans,
      CompiledModel model,
      TextParts text,
      LoadOptions options) {
    var file = TowerFile.of(checkpoint, options);
    if (file.isEmpty()) return Optional.empty();
    try {
      return Optional.of(opened(file.get(), plans, model, text, options));
    } catch (ModelException | LoadException | FormatException e) {
      file.get().close();
      if (options.tower().isPresent()) throw e;
      options.warnings().accept("the model sees no pictures: " + e.getMessage());
      return Optional.empty();
    } catch (RuntimeException | Error e) {
      file.get().close();
      throw e;
    }
  }

  private static Sight opened(
      TowerFile file, Plans plans, CompiledModel model, TextParts text, LoadOptions options) {
    var programs = new ProgramCache(SealedFolder.open(options.programCache(), options.warnings()));
    var vision =
        new Vision(
            file,
            plans,
            model,
            plan ->
                new ProgramLoader(
                    plans.device(), plan, programs, options.progress(), options.warnings()),
            text);
    int width = plans.view().tensor("token_embd.weight").columns();
    if (vision.shape.out() != width) {
      throw new LoadException(
          "%s sees rows of %d numbers, but the text of the model has %d; it is another model's"
              .formatted(file.checkpoint().path().getFileName(), vision.shape.out(), width));
    }
    int deep = plans.view().integer("n_deepstack_layers", Range.COUNT_OR_NONE, vision.shape.deep());
    if (vision.shape.deep() != deep) {
      throw new LoadException(
          "%s adds to %d layers of a text, but the text of the model takes that at %d; it is another model's"
              .formatted(file.checkpoint().path().getFileName(), vision.shape.deep(), deep));
    }
    model.see(plans.seeing(vision.shape.deep()), vision.gallery, vision::close);
    return vision;
  }

  /** The token that prompts have for rows of a picture. */
  private record Placeholder(String text, int id) {}

  private static Optional<Placeholder> placeholder(TowerFile file, TextParts text) {
    for (var row : file.family().marks().rows()) {
      var id = row(file, text, row, PICTURE_TOKENS);
      if (id.isPresent()) return Optional.of(new Placeholder(row, id.getAsInt()));
    }
    return Optional.empty();
  }

  private static OptionalInt row(
      TowerFile file, TextParts text, String written, List<String> keys) {
    var known = text.tokenizer().map(tokenizer -> tokenizer.idOf(written));
    return known.orElseGet(() -> configured(file.checkpoint().metadata(), keys));
  }

  /** Prompts of tokens alone need no tokenizer. */
  private static OptionalInt configured(Metadata metadata, List<String> keys) {
    return keys.stream()
        .flatMap(key -> metadata.value(key).stream())
        .filter(MetadataValue.Whole.class::isInstance)
        .mapToLong(value -> ((MetadataValue.Whole) value).value())
        .filter(id -> id >= 0 && id <= Integer.MAX_VALUE)
        .mapToInt(id -> (int) id)
        .findFirst();
  }

  @Override
  public Marks marks() {
    var marks = file.family().marks();
    var row =
        placeholder
            .get()
            .orElseThrow(
                () ->
                    new LoadException(
                        "the vocabulary has no %s, by which texts show pictures; give the prompt by its tokens"
                            .formatted(marks.rows().getFirst())));
    var expanded = marks.before() + row.text + marks.after();
    return new Marks(marks.written(), expanded, marks.alone(), row.id);
  }

  @Override
  public FilmMarks filmMarks() {
    var marks = file.family().films();
    var row = filmPlaceholder.get();
    if (row.isEmpty()) {
      throw new LoadException(
          "the vocabulary has no %s, by which texts show videos; give the prompt by its tokens"
              .formatted(marks.written()));
    }
    return new FilmMarks(marks.written(), marks.before(), marks.after(), row.getAsInt());
  }

  @Override
  public Films films() {
    boolean isNone = file.family().films().equals(TowerFamily.Films.NONE);
    return isNone ? Films.PICTURES : Films.VIDEOS;
  }

  @Override
  public OptionalInt placeholder() {
    return placeholder.get().stream().mapToInt(Placeholder::id).findFirst();
  }

  @Override
  public OptionalInt filmPlaceholder() {
    return filmPlaceholder.get();
  }

  @Override
  public Seen see(Picture picture) {
    return seen(
        content(List.of(picture), rules),
        () -> Collections.nCopies(shape.filters(), rules.patches(picture)));
  }

  /** Frames that are seen as one see none but each other: a moment is as a picture of its own. */
  @Override
  public List<Glimpse> watch(Reel reel) {
    return filmRules.moments(reel).stream()
        .map(
            moment ->
                new Glimpse(
                    moment.second(),
                    seen(content(moment.frames(), filmRules), () -> cut(moment.frames()))))
        .toList();
  }

  private List<Patches> cut(List<Picture> frames) {
    var cut = new ArrayList<Patches>();
    for (int i = 0; i < frames.size(); i += shape.frames()) {
      cut.add(filmRules.patches().cut(frames.subList(i, i + shape.frames())));
    }
    return cut;
  }

  private Seen seen(String content, Supplier<List<Patches>> patches) {
    var had = remembered(content);
    if (had.isPresent()) return had.get();
    var cut = patches.get();
    return model.inside(
        () ->
            remembered(content)
                .orElseGet(
                    () -> file.checkpoint().reading(() -> remember(content, look(content, cut)))));
  }

  /** All that pictures show, and how they are made ready. */
  private static String content(List<Picture> pictures, Record rules) {
    var digest = Seal.sha256();
    pictures.forEach(picture -> picture.addTo(digest));
    digest.update(rules.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest());
  }

  private Optional<Seen> remembered(String content) {
    synchronized (known) {
      var seen = Optional.ofNullable(known.get(content));
      seen.ifPresent(picture -> known.putLast(content, picture));
      return seen;
    }
  }

  private Seen remember(String content, Seen seen) {
    synchronized (known) {
      known.putLast(content, seen);
      while (known.size() > 1 && bytes() > MOST_REMEMBERED) known.pollFirstEntry();
      return seen;
    }
  }

  private long bytes() {
    return known.values().stream()
        .mapToLong(s -> Float.BYTES * (long) s.rows().features().length * (1 + shape.deep()))
        .sum();
  }

  /** What is seen of patches, of which there are some for each filter. */
  private Seen look(String content, List<Patches> cuts) {
    var cut = cuts.getFirst();
    var at = new Places(cut.rows(), cut.columns(), shape.merge());
    var among = patches(cuts, at);
    int squares = at.count() / (shape.merge() * shape.merge());
    var inputs = new TreeMap<String, Step.Rows>();
    int side = shape.merge() * shape.merge() * shape.width();
    among.forEach((name, rows) -> inputs.put(name, new Step.Rows(side, rows)));
    var made = run(features, squares, new int[squares], List.of(), inputs);
    var deep = new ArrayList<float[]>();
    for (int i = 0; i < shape.deep(); i++) deep.add(made.get(Tower.deepFeatures(i)));
    return gallery.seen(
        content,
        new Seen.Grid(1, cut.rows() / shape.merge(), cut.columns() / shape.merge()),
        new Seen.Rows(made.get(Tower.FEATURES), deep),
        shape.isBlock() ? Seen.Manner.BLOCK : Seen.Manner.GRID);
  }

  private Map<String, float[]> patches(List<Patches> cuts, Places at) {
    var inputs = new TreeMap<String, Step.Rows>();
    inputs.put(Tower.PLACES, new Step.Rows(shape.width(), places.rows(at)));
    for (int i = 0; i < cuts.size(); i++) {
      inputs.put(Tower.pixels(i), new Step.Rows(cuts.get(i).length(), cuts.get(i).values()));
    }
    var all = List.of(new Step.Block(0, at.count()));
    return run(patches, at.count(), at.positions(), all, inputs);
  }

  /** What all points of a part of the tower have for so many rows. */
  private Map<String, float[]> run(
      Plan plan,
      int rows,
      int[] positions,
      List<Step.Block> blocks,
      Map<String, Step.Rows> inputs) {
    var points = plan.graph().outputs().keySet();
    var bounds = new Bounds(rows, 1);
    try (var state = device.state(plan.slots());
        // Nobody waits for this memory behind texts at rest: it is given back with the step.
        var _ = device.pool().stretch(state.needs(rows, 0))) {
      var part = new Step.Part(state, rows, 0, blocks, Step.Origin.SEEN);
      var step = new Step(new int[rows], positions, new int[0], List.of(part), inputs);
      return programs.with(
          plan,
          bounds,
          () -> loader(plan).load(Phase.PREFILL, bounds, points),
          executable -> {
            StateSession.refused(() -> model.look(plan, executable, step));
            var out = new TreeMap<String, float[]>();
            for (var point : points) out.put(point, read(executable, point, rows));
            return out;
          });
    }
  }

  private static float[] read(Executable executable, String point, int rows) {
    int width = executable.program().outputs().get(point).type().rowElements();
    var out = new float[rows * width];
    var row = new float[width];
    for (int i = 0; i < rows; i++) {
      executable.read(point, i, row);
      System.arraycopy(row, 0, out, i * width, width);
    }
    return out;
  }

  /** The tower's weights are prepared when it first looks. */
  private ProgramLoader loader(Plan plan) {
    if (opened.isEmpty()) opened = Optional.of(loader.get());
    return opened.get().over(plan);
  }

  /** By the model, behind whose door it stands. */
  @Override
  public void close() {
    programs.close();
    opened.ifPresent(ProgramLoader::close);
    file.close();
  }
}
