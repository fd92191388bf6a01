package weft.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import weft.text.TextException;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/** tokenizer.json files, and what those that are accepted do with odd texts. */
final class TokenizerTarget implements Target {
  private static final String KITCHEN_SINK =
      """
      {"added_tokens": [{"id": 9, "content": "<s>", "special": true, "lstrip": true, "rstrip": true},
                        {"id": 10, "content": "Tag", "single_word": true, "normalized": true}],
       "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}, {"type": "Lowercase"}, {"type": "Strip"},
          {"type": "Replace", "pattern": {"Regex": "\\\\s{2,}"}, "content": " "}, {"type": "StripAccents"}, {"type": "Nmt"}]},
       "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
          {"type": "Split", "pattern": {"Regex": "(?i:'s)|\\\\p{L}+(?!\\\\d)|[^\\\\s\\\\p{N}]+|\\\\p{N}{1,3}"}, "behavior": "Isolated", "invert": false},
          {"type": "Digits", "individual_digits": true}, {"type": "Punctuation", "behavior": "Contiguous"},
          {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": true}]},
       "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
          {"Sequence": {"id": "A", "type_id": 0}}], "special_tokens": {"<s>": {"id": "<s>", "ids": [9], "tokens": ["<s>"]}}},
       "decoder": {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
          {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
       "model": {"type": "BPE", "unk_token": "?", "fuse_unk": true, "byte_fallback": true, "ignore_merges": false,
          "continuing_subword_prefix": null, "end_of_word_suffix": "",
          "vocab": {"?": 0, "a": 1, "b": 2, "▁": 3, "ab": 4, "▁a": 5, "<0xC3>": 6, "<0xA9>": 7, "1": 8},
          "merges": ["a b", ["▁", "a"]]}}
      """;

  private static final String UNIGRAM =
      """
      {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "%s"},
       "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": true, "use_regex": true},
       "decoder": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true},
       "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": false, "vocab": [["?", 0.0], ["a", -1.5], ["Ġ", -2], ["ab", -2e0]]}}
      """
          .formatted(Base64.getEncoder().encodeToString(emptyCharsMap()));

  private static final String BYTE_LEVEL =
      """
      {"added_tokens": [{"id": 4, "content": "<|end|>", "special": true}],
       "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
       "post_processor": {"type": "ByteLevel"}, "decoder": {"type": "ByteLevel"},
       "model": {"type": "BPE", "ignore_merges": true, "vocab": {"a": 0, "b": 1, "ab": 2, "Ġ": 3}, "merges": ["a b"]}}
      """;

  private static final JsonMutation JSON =
      new JsonMutation(
          new TextMutation(
              List.of(
                  "type",
                  "Sequence",
                  "normalizers",
                  "NFC",
                  "NFD",
                  "NFKC",
                  "NFKD",
                  "Lowercase",
                  "Strip",
                  "StripAccents",
                  "Nmt",
                  "Replace",
                  "Prepend",
                  "Append",
                  "BertNormalizer",
                  "Precompiled",
                  "pattern",
                  "Regex",
                  "String",
                  "content",
                  "pretokenizers",
                  "Split",
                  "Digits",
                  "Punctuation",
                  "Metaspace",
                  "Whitespace",
                  "WhitespaceSplit",
                  "ByteLevel",
                  "BertPreTokenizer",
                  "UnicodeScripts",
                  "CharDelimiterSplit",
                  "behavior",
                  "Isolated",
                  "Removed",
                  "Contiguous",
                  "MergedWithPrevious",
                  "MergedWithNext",
                  "invert",
                  "replacement",
                  "prepend_scheme",
                  "first",
                  "always",
                  "never",
                  "split",
                  "add_prefix_space",
                  "use_regex",
                  "TemplateProcessing",
                  "RobertaProcessing",
                  "BertProcessing",
                  "single",
                  "pair",
                  "special_tokens",
                  "SpecialToken",
                  "ids",
                  "tokens",
                  "id",
                  "decoders",
                  "ByteFallback",
                  "Fuse",
                  "WordPiece",
                  "CTC",
                  "BPEDecoder",
                  "model",
                  "BPE",
                  "Unigram",
                  "WordLevel",
                  "vocab",
                  "merges",
                  "unk_token",
                  "unk_id",
                  "fuse_unk",
                  "byte_fallback",
                  "ignore_merges",
                  "continuing_subword_prefix",
                  "end_of_word_suffix",
                  "##",
                  "</w>",
                  "dropout",
                  "added_tokens",
                  "special",
                  "lstrip",
                  "rstrip",
                  "single_word",
                  "normalized",
                  "<0x00>",
                  "<0xFF>",
                  "▁",
                  "Ġ",
                  "a b",
                  "\\\\p{L}+",
                  "(?i:a)",
                  "[^\\\\s]",
                  "a++b",
                  "(?>a+)",
                  "(?<=a)",
                  "\\\\b",
                  "(a|b)*",
                  "start",
                  "stop",
                  "individual_digits")));

  private static final List<String> SNIPPETS =
      List.of(
          "ab",
          " ",
          "  ",
          "<s>",
          "Tag",
          "'S",
          "12",
          "é",
          "e\u0301",
          "a",
          "\n",
          "▁",
          "<|end|>",
          "\ud800",
          "\udc00",
          "😀",
          "\u0000",
          "ﬃ",
          "İ",
          "ß",
          "日本",
          "\u200d",
          "aaaaaaaaaaaaaaaaaaaa",
          "<0xC3>",
          "\u2028");

  /** A character map without rules. */
  private static byte[] emptyCharsMap() {
    return ByteBuffer.allocate(4 + 1024).order(ByteOrder.LITTLE_ENDIAN).putInt(1024).array();
  }

  @Override
  public String name() {
    return "tokenizer";
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of(KITCHEN_SINK, UNIGRAM, BYTE_LEVEL)
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return JSON.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    use(Tokenizer.fromJson(input), new Draw(Arrays.hashCode(input)));
  }

  /** Encodes and decodes a text, and decodes any ids; what must agree is compared. */
  static void use(Tokenizer tokenizer, Draw draw) {
    var text = new StringBuilder();
    for (int i = draw.below(20); i >= 0; i--) text.append(draw.of(SNIPPETS));
    for (var special : SpecialText.values()) {
      int[] ids = tokenizer.encode(text.toString(), Surround.ADDED, special);
      if (!Arrays.equals(ids, tokenizer.encode(text.toString(), Surround.ADDED, special))) {
        throw new Violation("a text has other tokens the second time");
      }
      for (int id : ids) {
        if (id < 0 || id >= tokenizer.vocabularySize()) {
          throw new Violation("a text has token " + id + ", which is none");
        }
      }
      decode(tokenizer, ids);
    }
    int[] any = new int[8];
    for (int i = 0; i < any.length; i++) {
      any[i] = draw.below(tokenizer.vocabularySize() + 2) - 1;
      if (tokenizer.has(any[i])) tokenizer.bytes(any[i]);
    }
    decode(tokenizer, any);
  }

  private static void decode(Tokenizer tokenizer, int[] ids) {
    for (var special : SpecialTokens.values()) {
      var whole = tokenizer.decode(ids, special);
      var stream = tokenizer.decodeStream(special);
      var parts = new StringBuilder();
      for (int id : ids) parts.append(stream.next(id));
      if (!whole.contentEquals(parts.append(stream.end()))) {
        throw new Violation("tokens have another text one by one: " + parts + " for " + whole);
      }
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof TextException;
  }
}
