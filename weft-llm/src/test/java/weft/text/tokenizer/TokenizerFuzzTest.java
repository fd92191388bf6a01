package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import weft.text.TextException;

/** Damaged files and odd texts: whatever happens, it is a result or a {@link TextException}. */
class TokenizerFuzzTest {
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

  /** A character map without rules. */
  private static byte[] emptyCharsMap() {
    return ByteBuffer.allocate(4 + 1024).order(ByteOrder.LITTLE_ENDIAN).putInt(1024).array();
  }

  private final Random random = new Random(42);

  @Test
  void damagedFilesAreRefusedOrUsable() {
    int refused = 0;
    int used = 0;
    for (String seed : List.of(KITCHEN_SINK, UNIGRAM, SmallTokenizers.byteLevel("", "a b"))) {
      byte[] original = seed.getBytes(StandardCharsets.UTF_8);
      use(read(original));
      for (int i = 0; i < 1500; i++) {
        byte[] damaged = i % 2 == 0 ? damagedBytes(original) : damagedText(seed);
        try {
          use(read(damaged));
          used++;
        } catch (TextException expected) {
          assertThat(expected.getMessage()).isNotBlank();
          refused++;
        } catch (RuntimeException | StackOverflowError other) {
          fail(new String(damaged, StandardCharsets.UTF_8), other);
        }
      }
    }
    assertThat(refused).isGreaterThan(500);
    assertThat(used).isGreaterThan(100);
  }

  @Test
  void deepFilesAreRefused() {
    String open = "{\"type\": \"Sequence\", \"normalizers\": [";
    String json = "{\"normalizer\": " + open.repeat(50_000);
    try {
      read(json.getBytes(StandardCharsets.UTF_8));
      fail("expected a refusal");
    } catch (TextException expected) {
      assertThat(expected).hasMessageContaining("JSON");
    }
  }

  private static Tokenizer read(byte[] json) {
    return TokenizerJson.read(json, JsonNodeFactory.instance.objectNode());
  }

  private void use(Tokenizer tokenizer) {
    String text = "ab <s> Tag'S 12 é\u0301 a" + randomText();
    int[] ids = tokenizer.encode(text, Surround.ADDED, SpecialText.values()[random.nextInt(2)]);
    tokenizer.decode(ids, SpecialTokens.SKIPPED);
    int[] any = random.ints(8, -1, Math.max(1, tokenizer.vocabularySize()) + 1).toArray();
    tokenizer.decode(any, SpecialTokens.SHOWN);
    for (int id : any) {
      if (tokenizer.has(id)) {
        tokenizer.bytes(id);
      }
    }
  }

  private String randomText() {
    char[] chars = new char[random.nextInt(20)];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (char) random.nextInt(random.nextBoolean() ? 0x100 : 0x10000);
    }
    return new String(chars);
  }

  private byte[] damagedBytes(byte[] original) {
    byte[] bytes = original.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return random.nextInt(10) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }

  /**
   * Swaps one value or name for another one from elsewhere, which keeps the file well-formed more
   * often.
   */
  private byte[] damagedText(String seed) {
    String[] parts = {
      "null",
      "true",
      "-1",
      "1e9",
      "\"\"",
      "\"a\"",
      "[]",
      "{}",
      "\"Sequence\"",
      "99999999999",
      "\"(\"",
      "\"▁\"",
      "0",
      "3"
    };
    var values = java.util.regex.Pattern.compile("\"[^\"]*\"|\\d+|true|false|null").matcher(seed);
    var places = values.results().toList();
    var place = places.get(random.nextInt(places.size()));
    String part = parts[random.nextInt(parts.length)];
    return (seed.substring(0, place.start()) + part + seed.substring(place.end()))
        .getBytes(StandardCharsets.UTF_8);
  }
}
