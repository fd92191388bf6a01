package weft.load;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import weft.format.Checkpoint;
import weft.format.Metadata;
import weft.format.MetadataValue;
import weft.format.NumberArray;
import weft.format.ValueType;

/** The tokens that end a reply, as far as a checkpoint says. */
final class StopTokens {
  private static final List<String> GGUF_KEYS =
      List.of(
          "tokenizer.ggml.eos_token_id",
          "tokenizer.ggml.eot_token_id",
          "tokenizer.ggml.eom_token_id");

  /**
   * Control tokens that end a turn. A GGUF file often names the end of the text only, and its chat
   * model ends each turn with another one.
   */
  private static final Set<String> ENDS_OF_TURN =
      Set.of(
          "<|eot_id|>",
          "<|eom_id|>",
          "<|im_end|>",
          "<|end|>",
          "<end_of_turn>",
          "<turn|>",
          "<|endoftext|>",
          "<|end_of_text|>",
          "<|return|>",
          "<|call|>");

  /** The token type of control tokens in GGUF files. */
  private static final long CONTROL = 3;

  private static final MetadataValue NONE = new MetadataValue.Nested(List.of());

  private StopTokens() {}

  static Set<Integer> of(Checkpoint checkpoint) {
    var metadata = checkpoint.metadata();
    return switch (checkpoint.format()) {
      case GGUF -> gguf(metadata);
      case SAFETENSORS -> transformers(metadata);
    };
  }

  private static Set<Integer> gguf(Metadata metadata) {
    var ids = new LinkedHashSet<Integer>();
    GGUF_KEYS.forEach(key -> add(metadata, key, ids));
    var tokens = metadata.strings("tokenizer.ggml.tokens").orElse(List.of());
    var types =
        metadata.wholeNumbers("tokenizer.ggml.token_type").orElse(NumberArray.of(ValueType.INT32));
    for (int id = 0; id < Math.min(types.size(), tokens.size()); id++) {
      if (types.integer(id) == CONTROL && ENDS_OF_TURN.contains(tokens.get(id))) ids.add(id);
    }
    return ids;
  }

  /** What was chosen for generating counts before what the model was trained with. */
  private static Set<Integer> transformers(Metadata metadata) {
    var ids = new LinkedHashSet<Integer>();
    for (var place : List.of("generation_config.", "", "text_config.")) {
      if (ids.isEmpty()) add(metadata, place + "eos_token_id", ids);
    }
    return ids;
  }

  private static void add(Metadata metadata, String key, Set<Integer> ids) {
    long[] found =
        metadata.value(key).orElse(NONE) instanceof MetadataValue.Whole(_, long id)
            ? new long[] {id}
            : metadata.integers(key).orElse(new long[0]);
    for (long id : found) addId(id, ids);
  }

  /** An id out of any range, as some files have for "none", can never be generated. */
  private static void addId(long id, Set<Integer> ids) {
    if (id >= 0 && id < Integer.MAX_VALUE) ids.add((int) id);
  }
}
