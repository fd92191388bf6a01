package weft.load;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import weft.backend.Weights;
import weft.format.Checkpoint;
import weft.format.Format;
import weft.format.Metadata;
import weft.format.MetadataValue;
import weft.format.NumberArray;
import weft.format.StoredTensor;
import weft.ir.DType;
import weft.ir.Dim;
import weft.ir.Type;
import weft.net.Family;
import weft.net.Meta;
import weft.net.ModelException;
import weft.quant.QuantException;

/**
 * A checkpoint in canonical names: what GGUF calls things, whatever the file. Tensors stay where
 * they are mapped; what a file keeps in parts (one tensor an expert) stays in parts.
 */
final class CheckpointView implements Meta, Weights {
  private final Convention convention;
  private final Map<String, Object> keys;
  private final Map<String, Stored> tensors;
  private final Map<String, Tensor> weights = new HashMap<>();

  /** A tensor's parts in order, usually one. */
  private record Stored(List<StoredTensor> parts) {}

  private CheckpointView(
      Convention convention, Map<String, Object> keys, Map<String, Stored> tensors) {
    this.convention = convention;
    this.keys = keys;
    this.tensors = tensors;
  }

  static CheckpointView of(Checkpoint checkpoint, Family family) {
    return switch (checkpoint.format()) {
      case GGUF -> gguf(checkpoint);
      case SAFETENSORS -> transformers(checkpoint, family);
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
    var keys = new HashMap<String, Object>();
    checkpoint
        .metadata()
        .entries()
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) keys.put(key.substring(prefix.length()), plain(value));
            });
    var tensors = new LinkedHashMap<String, Stored>();
    checkpoint.tensors().forEach((name, tensor) -> tensors.put(name, new Stored(List.of(tensor))));
    return new CheckpointView(Convention.LLAMA_CPP, keys, tensors);
  }

  private static CheckpointView transformers(Checkpoint checkpoint, Family family) {
    var naming = family.naming();
    var keys = new HashMap<String, Object>();
    naming
        .keys()
        .forEach(
            (theirs, canonical) ->
                configured(checkpoint.metadata(), theirs)
                    .ifPresent(value -> keys.put(canonical, plain(value))));
    var parts = new LinkedHashMap<String, TreeMap<Integer, StoredTensor>>();
    checkpoint
        .tensors()
        .forEach(
            (name, tensor) ->
                naming
                    .place(name)
                    .ifPresent(
                        place ->
                            parts
                                .computeIfAbsent(place.tensor(), t -> new TreeMap<>())
                                .put(place.part().orElse(0), tensor)));
    var tensors = new LinkedHashMap<String, Stored>();
    parts.forEach((name, byPart) -> tensors.put(name, new Stored(List.copyOf(byPart.values()))));
    return new CheckpointView(Convention.TRANSFORMERS, keys, tensors);
  }

  /** A model of several towers keeps its text settings one level down. */
  private static Optional<MetadataValue> configured(Metadata metadata, String key) {
    return metadata.value("text_config." + key).or(() -> metadata.value(key));
  }

  private static Object plain(MetadataValue value) {
    return switch (value) {
      case MetadataValue.Whole(_, long whole) -> whole;
      case MetadataValue.Real(_, double real) -> real;
      case MetadataValue.Flag(boolean flag) -> flag;
      case MetadataValue.Text(String text) -> text;
      case MetadataValue.Numbers(NumberArray array) -> numbers(array);
      case MetadataValue.Texts(var texts) -> texts.strings();
      case MetadataValue.Nested(var arrays) -> arrays.stream().map(CheckpointView::plain).toList();
    };
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
    return Optional.ofNullable(keys.get(key));
  }

  @Override
  public Convention convention() {
    return convention;
  }

  @Override
  public boolean has(String tensor) {
    return tensors.containsKey(tensor);
  }

  @Override
  public Type weight(String tensor) {
    return tensor(tensor).type();
  }

  @Override
  public Tensor tensor(String name) {
    return weights.computeIfAbsent(name, this::read);
  }

  private Tensor read(String name) {
    var stored = tensors.get(name);
    if (stored == null) {
      throw new ModelException(
          "the checkpoint has no tensor "
              + name
              + ", which its family needs; is the file complete?");
    }
    var first = stored.parts.getFirst();
    var bytes = new ArrayList<MemorySegment>();
    for (var part : stored.parts) {
      if (!part.shape().equals(first.shape()) || part.type() != first.type()) {
        throw new ModelException(
            part.name()
                + " is "
                + part.type()
                + " "
                + part.shape()
                + ", but "
                + first.name()
                + " is "
                + first.type()
                + " "
                + first.shape()
                + "; parts of one tensor must agree");
      }
      bytes.add(part.bytes());
    }
    try {
      return new Tensor(name, shape(name, stored), first.encoding(), bytes);
    } catch (QuantException e) {
      throw new ModelException(name + ": " + e.getMessage(), e);
    }
  }

  private static Type shape(String name, Stored stored) {
    var dims = new ArrayList<Dim>();
    if (stored.parts.size() > 1) dims.add(Dim.of(stored.parts.size()));
    for (long size : stored.parts.getFirst().shape()) {
      if (size < 1 || size > Integer.MAX_VALUE) {
        throw new ModelException(name + " has an axis of " + size + ", expected 1 to 2^31");
      }
      dims.add(Dim.of((int) size));
    }
    // A depthwise filter comes with an axis of one input channel, which says nothing.
    if (dims.size() == 3 && dims.get(1).equals(Dim.of(1))) dims.remove(1);
    return new Type(DType.F32, dims);
  }
}
