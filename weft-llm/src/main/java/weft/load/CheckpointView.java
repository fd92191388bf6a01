package weft.load;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import weft.backend.TensorReader;
import weft.backend.Weights;
import weft.format.Checkpoint;
import weft.format.Format;
import weft.format.Metadata;
import weft.format.MetadataValue;
import weft.format.NumberArray;
import weft.format.StoredTensor;
import weft.format.TensorFiles;
import weft.format.ValueType;
import weft.ir.Dim;
import weft.ir.Type;
import weft.net.Family;
import weft.net.Meta;
import weft.net.ModelException;
import weft.net.Naming;
import weft.quant.Encodings;

/**
 * A checkpoint in canonical names: what GGUF calls things, whatever the file. Tensors stay where
 * they are mapped; what a file keeps in parts (one tensor an expert) stays in parts.
 */
final class CheckpointView implements Meta, Weights {
  /**
   * The longest list that a key of a model has: a number or a word a layer, or a pair of a head.
   */
  private static final int LONGEST_LIST = 1 << 16;

  private final Convention convention;
  private final Map<String, Object> assumed;
  private final Map<String, MetadataValue> keys;
  private final Spelling spelling;
  private final Map<String, TensorSource> sources;
  private final Supplier<Optional<TensorFiles>> files;
  private final Map<String, Tensor> weights = new ConcurrentHashMap<>();

  /** The file's own names for canonical ones. */
  private record Spelling(UnaryOperator<String> key, UnaryOperator<String> tensor) {}

  private CheckpointView(
      Convention convention,
      Map<String, Object> assumed,
      Map<String, MetadataValue> keys,
      Spelling spelling,
      Map<String, TensorSource> sources,
      Supplier<Optional<TensorFiles>> files) {
    this.convention = convention;
    this.assumed = assumed;
    this.keys = keys;
    this.spelling = spelling;
    this.sources = sources;
    this.files = files;
  }

  static CheckpointView of(Checkpoint checkpoint, Family family) {
    return of(checkpoint, family.naming());
  }

  /** A checkpoint whose parts are named so where it is no GGUF file. */
  static CheckpointView of(Checkpoint checkpoint, Naming naming) {
    return switch (checkpoint.format()) {
      case GGUF -> gguf(checkpoint);
      case SAFETENSORS -> transformers(checkpoint, naming);
    };
  }

  /** The name by which a checkpoint announces its family. */
  static List<String> announced(Checkpoint checkpoint) {
    var metadata = checkpoint.metadata();
    var names = new ArrayList<String>();
    if (checkpoint.format() == Format.GGUF) {
      metadata.string("general.architecture").ifPresent(names::add);
    } else {
      metadata.string("model_type").ifPresent(names::add);
      metadata.string("text_config.model_type").ifPresent(names::add);
    }
    return names;
  }

  private static CheckpointView gguf(Checkpoint checkpoint) {
    var prefix = announced(checkpoint).getFirst() + ".";
    var keys = new HashMap<String, MetadataValue>();
    checkpoint
        .metadata()
        .entries()
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) keys.put(key.substring(prefix.length()), value);
            });
    var sources = sources(checkpoint, Naming.gguf());
    checkpoint
        .tensors()
        .forEach((name, tensor) -> sources.putIfAbsent(name, new TensorSource.Whole(tensor)));
    var spelling = new Spelling(prefix::concat, UnaryOperator.identity());
    return new CheckpointView(
        Convention.GGUF, Map.of(), keys, spelling, sources, checkpoint::tensorFiles);
  }

  private static CheckpointView transformers(Checkpoint checkpoint, Naming naming) {
    var keys = new HashMap<String, MetadataValue>();
    var spelled = new HashMap<String, String>();
    naming
        .keys()
        .forEach(
            (theirs, canonical) -> {
              var value = configured(checkpoint.metadata(), theirs);
              value.ifPresent(v -> keys.put(canonical, v));
              if (value.isPresent()) spelled.put(canonical, theirs);
              else spelled.putIfAbsent(canonical, theirs);
            });
    var spelling = new Spelling(key -> spelled.getOrDefault(key, key), naming::theirs);
    return new CheckpointView(
        Convention.TRANSFORMERS,
        naming.assumed(),
        keys,
        spelling,
        sources(checkpoint, naming),
        checkpoint::tensorFiles);
  }

  /** A model of several towers keeps its text settings one level down. */
  private static Optional<MetadataValue> configured(Metadata metadata, String key) {
    return metadata.value("text_config." + key).or(() -> metadata.value(key));
  }

  /** Where the tensors that the naming knows come from. */
  private static Map<String, TensorSource> sources(Checkpoint checkpoint, Naming naming) {
    var sources = new LinkedHashMap<String, TensorSource>();
    var stacks = new LinkedHashMap<String, TreeMap<Integer, StoredTensor>>();
    checkpoint
        .tensors()
        .forEach(
            (name, tensor) -> {
              for (var place : naming.places(name)) {
                switch (place) {
                  case Naming.Place.Whole(var to) ->
                      sources.put(to, new TensorSource.Whole(tensor));
                  case Naming.Place.Share(var to, var index, var of) ->
                      sources.put(to, new TensorSource.Share(tensor, index, of));
                  case Naming.Place.Part(var to, var index) ->
                      stacks.computeIfAbsent(to, t -> new TreeMap<>()).put(index, tensor);
                }
              }
            });
    stacks.forEach(
        (name, parts) -> sources.put(name, new TensorSource.Stack(List.copyOf(parts.values()))));
    return sources;
  }

  private Object plain(String key, MetadataValue value) {
    return switch (value) {
      // As a real number it is too large for any key, and shown as it is.
      case MetadataValue.Whole(var type, long whole) when type == ValueType.UINT64 && whole < 0 ->
          NumberArray.of(type, whole).real(0);
      case MetadataValue.Whole(_, long whole) -> whole;
      case MetadataValue.Real(_, double real) -> real;
      case MetadataValue.Flag(boolean flag) -> flag;
      case MetadataValue.Text(String text) -> text;
      case MetadataValue.Numbers(NumberArray array) -> {
        requireShort(key, array.size());
        yield numbers(array);
      }
      case MetadataValue.Texts(var texts) -> {
        requireShort(key, texts.size());
        yield texts.strings();
      }
      case MetadataValue.Nested(var arrays) ->
          throw wrong(key, arrays.size() + " arrays in an array", "a value or a list of them");
    };
  }

  private void requireShort(String key, int size) {
    if (size > LONGEST_LIST) {
      throw wrong(key, "a list of " + size, "a list of at most " + LONGEST_LIST);
    }
  }

  private static List<Object> numbers(NumberArray array) {
    var out = new ArrayList<Object>();
    for (int i = 0; i < array.size(); i++) {
      switch (array.element()) {
        case FLOAT32, FLOAT64 -> out.add(array.real(i));
        default -> out.add(array.integer(i));
      }
    }
    return List.copyOf(out);
  }

  @Override
  public Optional<Object> value(String key) {
    var said = Optional.ofNullable(keys.get(key)).map(value -> plain(key, value));
    return said.isPresent() ? said : Optional.ofNullable(assumed.get(key));
  }

  @Override
  public String spelling(String key) {
    return spelling.key.apply(key);
  }

  @Override
  public String tensorSpelling(String tensor) {
    var source = sources.get(tensor);
    return source == null ? spelling.tensor.apply(tensor) : source.first().name();
  }

  @Override
  public Convention convention() {
    return convention;
  }

  @Override
  public boolean has(String tensor) {
    return sources.containsKey(tensor);
  }

  @Override
  public Type weight(String tensor) {
    return tensor(tensor).type();
  }

  /** The rows of a tensor that {@link Meta#first} names, where they lie. */
  private Tensor beginning(String name) {
    int end = name.indexOf('.', FIRST.length());
    int rows = Integer.parseInt(name.substring(FIRST.length(), end));
    var whole = tensor(name.substring(end + 1));
    var bytes = whole.parts().getFirst().asSlice(0, rows * whole.rowBytes());
    var type = Type.f32(rows, whole.columns());
    return new Tensor(name, type, whole.encoding(), List.of(bytes));
  }

  private Tensor flat(String name) {
    var whole = tensor(name.substring(FLAT.length()));
    var type = Type.f32(whole.type().dim(0), Dim.of(whole.type().rowElements()));
    return new Tensor(name, type, whole.encoding(), whole.parts());
  }

  /** In memory of its own, as floats: it is small, and there is no other way. */
  private Tensor turned(String name) {
    var whole = tensor(name.substring(TURNED.length()));
    int rows = Math.toIntExact(whole.rows());
    var values = whole.decode();
    var bytes = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, values.length);
    for (int i = 0; i < values.length; i++) {
      long to = (long) (i % whole.columns()) * rows + i / whole.columns();
      bytes.setAtIndex(ValueLayout.JAVA_FLOAT, to, values[i]);
    }
    var type = Type.f32(whole.columns(), rows);
    return new Tensor(name, type, Encodings.F32, List.of(bytes));
  }

  @Override
  public Optional<TensorReader> reader() {
    return files.get().map(Reader::new);
  }

  private record Reader(TensorFiles files) implements TensorReader {
    @Override
    public long alignment() {
      return TensorFiles.ALIGNMENT;
    }

    @Override
    public MemorySegment read(MemorySegment mapped, MemorySegment to) {
      return files.read(mapped, to);
    }

    @Override
    public void close() {
      files.close();
    }
  }

  @Override
  public Tensor tensor(String name) {
    var known = weights.get(name);
    if (known != null) return known;
    var read = read(name);
    weights.put(name, read);
    return read;
  }

  private Tensor read(String name) {
    if (name.startsWith(FIRST)) return beginning(name);
    if (name.startsWith(FLAT)) return flat(name);
    if (name.startsWith(TURNED)) return turned(name);
    var source = sources.get(name);
    if (source == null) {
      throw new ModelException(
          "the checkpoint has no tensor "
              + tensorSpelling(name)
              + ", which its family needs; is the file complete?");
    }
    return source.tensor(name);
  }
}
