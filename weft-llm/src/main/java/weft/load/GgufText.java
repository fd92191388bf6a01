package weft.load;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.format.CheckpointFiles;
import weft.format.Metadata;
import weft.format.NumberArray;
import weft.text.tokenizer.GgufVocabulary;
import weft.text.tokenizer.GgufVocabulary.Flag;
import weft.text.tokenizer.GgufVocabulary.Role;
import weft.text.tokenizer.Tokenizer;

/** Tokenizer and template from a GGUF file's metadata. */
final class GgufText implements TextSource {
  private static final String PREFIX = "tokenizer.ggml.";

  /** What Transformers calls the tokens that GGUF files name. */
  private static final Map<Role, String> NAMES =
      Map.of(
          Role.BOS, "bos_token",
          Role.EOS, "eos_token",
          Role.UNKNOWN, "unk_token",
          Role.PADDING, "pad_token");

  private final String place;
  private final Metadata metadata;
  private final CheckpointFiles files;
  private final Map<String, String> specialTokens;

  /** The metadata's long values lie in {@code files}. */
  GgufText(String place, Metadata metadata, CheckpointFiles files) {
    this.place = place;
    this.metadata = metadata;
    this.files = files;
    this.specialTokens = files.reading(() -> specialTokens(metadata));
  }

  @Override
  public String place() {
    return place;
  }

  @Override
  public Optional<Tokenizer> tokenizer() {
    if (!metadata.has(PREFIX + "tokens")) return Optional.empty();
    var tokenizer = files.reading(() -> Tokenizer.of(vocabulary()));
    // The file's vocabulary is megabytes, and the tokenizer has its own.
    metadata.unload();
    return Optional.of(tokenizer);
  }

  private GgufVocabulary vocabulary() {
    var ids = new EnumMap<Role, Integer>(Role.class);
    for (var role : Role.values()) {
      metadata
          .integer(role.key())
          .ifPresent(id -> ids.put(role, Math.clamp(id, -1, Integer.MAX_VALUE)));
    }
    var flags = new EnumMap<Flag, Boolean>(Flag.class);
    for (var flag : Flag.values()) {
      metadata.bool(flag.key()).ifPresent(value -> flags.put(flag, value));
    }
    return new GgufVocabulary(
        metadata.string(PREFIX + "model").orElse(""),
        metadata.string(PREFIX + "pre").orElse(""),
        metadata.strings(PREFIX + "tokens").orElseThrow(),
        metadata.wholeNumbers(PREFIX + "token_type").map(GgufText::ints).orElse(new int[0]),
        metadata.reals(PREFIX + "scores").orElse(new float[0]),
        metadata.strings(PREFIX + "merges").orElse(List.of()),
        ids,
        flags,
        bytes(metadata.integers(PREFIX + "precompiled_charsmap").orElse(new long[0])));
  }

  private static int[] ints(NumberArray values) {
    var out = new int[values.size()];
    for (int i = 0; i < out.length; i++) out[i] = (int) values.integer(i);
    return out;
  }

  private static byte[] bytes(long[] values) {
    var out = new byte[values.length];
    for (int i = 0; i < out.length; i++) out[i] = (byte) values[i];
    return out;
  }

  @Override
  public Optional<String> template() {
    return metadata.string("tokenizer.chat_template");
  }

  @Override
  public Map<String, String> specialTokens() {
    return specialTokens;
  }

  private static Map<String, String> specialTokens(Metadata metadata) {
    var tokens = metadata.strings(PREFIX + "tokens").orElse(List.of());
    var named = new LinkedHashMap<String, String>();
    for (var role : Role.values()) {
      long id = metadata.integer(role.key()).orElse(-1);
      if (id >= 0 && id < tokens.size()) named.put(NAMES.get(role), tokens.get((int) id));
    }
    return Collections.unmodifiableMap(named);
  }
}
