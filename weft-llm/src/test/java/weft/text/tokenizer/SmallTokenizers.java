package weft.text.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tokenizers small enough to know by heart. */
final class SmallTokenizers {
  static final JsonMapper JSON = JsonMapper.builder().build();

  private SmallTokenizers() {}

  static Tokenizer read(String json) {
    return TokenizerJson.read(
        json.getBytes(StandardCharsets.UTF_8), JsonNodeFactory.instance.objectNode());
  }

  static Tokenizer read(String json, String config) {
    return TokenizerJson.read(json.getBytes(StandardCharsets.UTF_8), JSON.readTree(config));
  }

  /** The 256 bytes in order, then what the merges give, then {@code <|end|>}. */
  static String byteLevel(String extra, String... merges) {
    var tokens = new ArrayList<String>();
    for (int b = 0; b < 256; b++) {
      tokens.add(String.valueOf(ByteAlphabet.character(b)));
    }
    for (String merge : merges) {
      tokens.add(merge.replace(" ", ""));
    }
    return """
        {"added_tokens": [{"id": %d, "content": "<|end|>", "special": true}%s],
         "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
         "decoder": {"type": "ByteLevel"},
         "model": {"type": "BPE", "vocab": %s, "merges": %s}}
        """
        .formatted(
            tokens.size(),
            extra,
            JSON.writeValueAsString(ids(tokens)),
            JSON.writeValueAsString(merges));
  }

  /**
   * The tokens of a SentencePiece vocabulary: unknown, start, end, the bytes, and others from 259
   * on.
   */
  static List<String> sentencePieceTokens(String... others) {
    var tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
    for (int b = 0; b < 256; b++) {
      tokens.add(ByteTokens.name(b));
    }
    tokens.addAll(List.of(others));
    return tokens;
  }

  static String sentencePiece(List<String> tokens, List<String> merges) {
    return """
        {"added_tokens": [{"id": 0, "content": "<unk>", "special": true},
                          {"id": 1, "content": "<s>", "special": true},
                          {"id": 2, "content": "</s>", "special": true}],
         "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]},
         "post_processor": {"type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
         "decoder": {"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
         "model": {"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true,
                   "vocab": %s, "merges": %s}}
        """
        .formatted(JSON.writeValueAsString(ids(tokens)), JSON.writeValueAsString(merges));
  }

  /**
   * A BPE model over the given tokens and merges, without bytes and with the components given as
   * JSON members.
   */
  static String plain(String members, List<String> tokens, String... merges) {
    return "{%s%s\"model\": {\"type\": \"BPE\", \"vocab\": %s, \"merges\": %s}}"
        .formatted(
            members,
            members.isEmpty() ? "" : ",",
            JSON.writeValueAsString(ids(tokens)),
            JSON.writeValueAsString(merges));
  }

  static JsonPart part(String json) {
    JsonNode node = JSON.readTree(json);
    return new JsonPart("test", node);
  }

  private static Map<String, Integer> ids(List<String> tokens) {
    var ids = new LinkedHashMap<String, Integer>();
    tokens.forEach(token -> ids.put(token, ids.size()));
    return ids;
  }
}
