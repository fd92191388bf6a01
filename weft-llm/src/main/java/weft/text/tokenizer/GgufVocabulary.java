package weft.text.tokenizer;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import weft.text.TextException;

/**
 * What a GGUF file's metadata says about its tokenizer. Its lists are read while a tokenizer is
 * built and not kept, so they may decode their texts as they are asked for; they must not change
 * meanwhile.
 *
 * @param model {@code tokenizer.ggml.model}
 * @param pre {@code tokenizer.ggml.pre}, or an empty string where the file has none
 * @param tokens {@code tokenizer.ggml.tokens}
 * @param types {@code tokenizer.ggml.token_type}, one for each token, or none: then all tokens are
 *     normal
 * @param scores {@code tokenizer.ggml.scores}, one for each token, or none
 * @param merges {@code tokenizer.ggml.merges}, or none
 * @param ids the ids of tokens with a role, as far as the file names them
 * @param flags the switches that the file sets
 * @param charsMap {@code tokenizer.ggml.precompiled_charsmap}, or none
 */
public record GgufVocabulary(
    String model,
    String pre,
    List<String> tokens,
    int[] types,
    float[] scores,
    List<String> merges,
    Map<Role, Integer> ids,
    Map<Flag, Boolean> flags,
    byte[] charsMap) {

  static final int NORMAL = 1;
  static final int UNKNOWN = 2;
  static final int CONTROL = 3;
  static final int USER_DEFINED = 4;

  /** A role that a token can have. */
  public enum Role {
    BOS("bos_token_id"),
    EOS("eos_token_id"),
    UNKNOWN("unknown_token_id"),
    PADDING("padding_token_id");

    private final String key;

    Role(String key) {
      this.key = key;
    }

    /** The metadata key that holds the token's id. */
    public String key() {
      return "tokenizer.ggml." + key;
    }
  }

  /** A switch of the tokenizer. */
  public enum Flag {
    ADD_BOS("add_bos_token"),
    ADD_EOS("add_eos_token"),
    ADD_SPACE_PREFIX("add_space_prefix"),
    REMOVE_EXTRA_WHITESPACES("remove_extra_whitespaces");

    private final String key;

    Flag(String key) {
      this.key = key;
    }

    /** The metadata key that holds the switch. */
    public String key() {
      return "tokenizer.ggml." + key;
    }
  }

  public GgufVocabulary {
    flags = Map.copyOf(flags);
    if (tokens.isEmpty() || tokens.size() > Vocabulary.MAX_IDS) {
      throw new TextException(
          "tokenizer.ggml.tokens has "
              + tokens.size()
              + " entries; expected 1 to "
              + Vocabulary.MAX_IDS);
    }
    checkLength("tokenizer.ggml.token_type", types.length, tokens.size());
    checkLength("tokenizer.ggml.scores", scores.length, tokens.size());
    for (Role role : List.of(Role.BOS, Role.EOS)) {
      if (ids.containsKey(role) && !isId(ids.get(role), tokens)) {
        throw new TextException(
            role.key()
                + " is "
                + ids.get(role)
                + ", but the vocabulary has ids from 0 to "
                + (tokens.size() - 1));
      }
    }
    // Converters are known to write a padding token that does not exist; nobody uses it.
    var existing = new EnumMap<Role, Integer>(Role.class);
    for (var role : ids.entrySet()) {
      if (isId(role.getValue(), tokens)) {
        existing.put(role.getKey(), role.getValue());
      }
    }
    ids = Map.copyOf(existing);
  }

  private static boolean isId(int id, List<String> tokens) {
    return id >= 0 && id < tokens.size();
  }

  private static void checkLength(String key, int length, int tokens) {
    if (length != 0 && length != tokens) {
      throw new TextException(
          key + " has " + length + " entries, but there are " + tokens + " tokens");
    }
  }

  int type(int id) {
    return types.length == 0 ? NORMAL : types[id];
  }

  boolean flag(Flag flag, boolean otherwise) {
    return flags.getOrDefault(flag, otherwise);
  }
}
