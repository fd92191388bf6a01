package weft.cli;

import java.nio.file.Files;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;
import weft.format.Checkpoint;
import weft.format.Format;
import weft.format.StoredTensor;
import weft.load.LanguageModel;
import weft.load.TextParts;
import weft.net.Family;
import weft.quant.StorageType;

/** What a checkpoint says of itself, as a table and as JSON. */
final class Inspection {
  private static final int TEMPLATE_LINES = 6;
  private static final int LONGEST_LINE = 110;
  private static final String TOKENIZER_FILE = "tokenizer.json";

  private final Checkpoint checkpoint;
  private final Optional<String> family;
  private final Map<StorageType, Share> types = new EnumMap<>(StorageType.class);
  private long parameters;
  private long tensorBytes;

  /** What is stored in one type. */
  private record Share(int tensors, long values, long bytes) {
    Share and(StoredTensor tensor) {
      return new Share(tensors + 1, values + tensor.values(), bytes + tensor.bytes().byteSize());
    }
  }

  Inspection(Checkpoint checkpoint) {
    this.checkpoint = checkpoint;
    this.family = LanguageModel.familyOf(checkpoint).map(Family::name);
    for (var tensor : checkpoint.tensors().values()) {
      types.merge(tensor.type(), new Share(0, 0, 0).and(tensor), (old, _) -> old.and(tensor));
      parameters += tensor.values();
      tensorBytes += tensor.bytes().byteSize();
    }
  }

  private Optional<String> architecture() {
    var metadata = checkpoint.metadata();
    return switch (checkpoint.format()) {
      case GGUF -> metadata.string("general.architecture");
      case SAFETENSORS -> metadata.string("model_type");
    };
  }

  /** What the family reads: its own keys in GGUF, all of the configuration in a folder. */
  private boolean isHyperParameter(String key) {
    return switch (checkpoint.format()) {
      case GGUF -> architecture().map(name -> key.startsWith(name + ".")).orElse(false);
      case SAFETENSORS -> !key.startsWith("__metadata__.");
    };
  }

  private Optional<String> template() {
    return TextParts.of(checkpoint).templateSource();
  }

  /** Where tokens come from, in a few words. */
  private String tokenizer() {
    var metadata = checkpoint.metadata();
    var file = checkpoint.path().resolve(TOKENIZER_FILE);
    return switch (checkpoint.format()) {
      case GGUF ->
          metadata
              .texts("tokenizer.ggml.tokens")
              .map(
                  tokens ->
                      "%s %s, %d tokens"
                          .formatted(
                              metadata.string("tokenizer.ggml.model").orElse("of no kind"),
                              metadata.string("tokenizer.ggml.pre").orElse(""),
                              tokens.size()))
              .orElse("none");
      case SAFETENSORS -> Files.exists(file) ? TOKENIZER_FILE : "none";
    };
  }

  ObjectNode json() {
    var document = Json.object();
    document.put("path", checkpoint.path().toString());
    document.put("format", checkpoint.format().name().toLowerCase(java.util.Locale.ROOT));
    document.put("architecture", architecture().orElse(null));
    document.put("family", family.orElse(null));
    document.put("parameters", parameters);
    document.put("tensor_bytes", tensorBytes);
    document.put("file_bytes", checkpoint.fileBytes());
    var byType = document.putObject("types");
    types.forEach(
        (type, share) ->
            byType
                .putObject(type.name())
                .put("tensors", share.tensors)
                .put("parameters", share.values)
                .put("bytes", share.bytes));
    var hyper = document.putObject("hyper_parameters");
    var other = Json.object();
    checkpoint
        .metadata()
        .entries()
        .forEach(
            (key, value) ->
                (isHyperParameter(key) ? hyper : other).set(key, MetadataText.json(value)));
    document.set("metadata", other);
    document.put("tokenizer", tokenizer());
    document.put("chat_template", template().orElse(null));
    var tensors = document.putArray("tensors");
    for (var tensor : checkpoint.tensors().values()) {
      var entry = tensors.addObject();
      entry.put("name", tensor.name());
      entry.put("type", tensor.type().name());
      var shape = entry.putArray("shape");
      tensor.shape().forEach(shape::add);
      entry.put("bytes", tensor.bytes().byteSize());
    }
    return document;
  }

  void print(Output out) {
    var head = new Table();
    head.row("file", checkpoint.path());
    head.row("format", checkpoint.format() == Format.GGUF ? "GGUF" : "safetensors");
    head.row("architecture", architecture().orElse("not said") + runs());
    head.row(
        "parameters", Units.count(parameters) + " in " + checkpoint.tensors().size() + " tensors");
    head.row(
        "size",
        Units.bytes(tensorBytes)
            + " of tensors, "
            + Units.bytes(checkpoint.fileBytes())
            + " of files");
    head.row("tokenizer", tokenizer());
    head.row(
        "chat template", template().map(text -> text.lines().count() + " lines").orElse("none"));
    head.print(out);
    printMetadata(out, "hyper-parameters", true);
    printMetadata(out, "other metadata", false);
    printTemplate(out);
    printTypes(out);
    printTensors(out);
  }

  private String runs() {
    return family.map(name -> " (weft runs it as " + name + ")").orElse(" (weft cannot run it)");
  }

  private void printMetadata(Output out, String title, boolean hyper) {
    var table = new Table();
    checkpoint
        .metadata()
        .entries()
        .forEach(
            (key, value) -> {
              if (isHyperParameter(key) == hyper && !key.equals("tokenizer.chat_template")) {
                table.row("  " + key, MetadataText.text(value));
              }
            });
    section(out, title, table);
  }

  private void printTemplate(Output out) {
    if (template().isEmpty()) return;
    out.println();
    out.println("chat template");
    var lines = template().get().lines().toList();
    lines.stream().limit(TEMPLATE_LINES).forEach(line -> out.println("  " + shortened(line)));
    if (lines.size() > TEMPLATE_LINES) out.println("  ...");
  }

  private static String shortened(String line) {
    return line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "...";
  }

  private void printTypes(Output out) {
    var table = new Table("  type", "tensors", "parameters", "size").right(1, 2, 3);
    types.forEach(
        (type, share) ->
            table.row(
                "  " + type, share.tensors, Units.count(share.values), Units.bytes(share.bytes)));
    section(out, "types", table);
  }

  private void printTensors(Output out) {
    var table = new Table("  tensor", "type", "shape", "size").right(3);
    for (var tensor : checkpoint.tensors().values()) {
      table.row(
          "  " + tensor.name(),
          tensor.type(),
          shape(tensor.shape()),
          Units.bytes(tensor.bytes().byteSize()));
    }
    section(out, "tensors", table);
  }

  private static String shape(List<Long> shape) {
    return shape.isEmpty()
        ? "scalar"
        : shape.stream().map(String::valueOf).collect(Collectors.joining(" x "));
  }

  private static void section(Output out, String title, Table table) {
    if (table.isEmpty()) return;
    out.println();
    out.println(title);
    table.print(out);
  }
}
