package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.text.tokenizer.SmallTokenizers.byteLevel;
import static weft.text.tokenizer.SmallTokenizers.read;
import static weft.text.tokenizer.SmallTokenizers.sentencePiece;
import static weft.text.tokenizer.SmallTokenizers.sentencePieceTokens;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import weft.text.TextException;

class TokenizerTest {
  private static final int END = 257;

  private final Tokenizer bytes = read(byteLevel("", "a b"));

  @Test
  void specialTokensInTextAreParsedOrEscaped() {
    assertThat(bytes.encode("ab<|end|>", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly(256, END);
    int[] escaped = bytes.encode("ab<|end|>", Surround.OMITTED, SpecialText.ESCAPED);
    assertThat(escaped).startsWith(256, '<', '|').doesNotContain(END);
    assertThat(bytes.decode(escaped, SpecialTokens.SKIPPED)).isEqualTo("ab<|end|>");
    assertThat(bytes.isSpecial(END)).isTrue();
    assertThat(bytes.isSpecial(256)).isFalse();
  }

  @Test
  void aTokenThatTouchesAnEscapedPartIsText() {
    String text = "<|end|><|end|><|end|>";
    assertThat(bytes.encode(text, Surround.OMITTED, List.of())).containsExactly(END, END, END);
    int[] ids = bytes.encode(text, Surround.OMITTED, List.of(new Span(7, 14)));
    assertThat(ids).startsWith(END, '<').endsWith('>', END);
    assertThat(IntStream.of(ids).filter(id -> id == END)).hasSize(2);
    assertThat(bytes.encode(text, Surround.OMITTED, List.of(new Span(13, 15))))
        .startsWith(END, '<');
    assertThat(bytes.encode(text, Surround.OMITTED, List.of(new Span(7, 7))))
        .containsExactly(END, END, END);
  }

  @Test
  void noTextOfTheModelsOwnGivesAControlToken() {
    // The merges could build the special token from its letters.
    String json =
        """
        {"added_tokens": [{"content": "<s>", "special": true}, {"content": "!", "special": true}],
         "model": {"type": "BPE", "ignore_merges": true, "vocab": {"<": 0, "s": 1, ">": 2, "<s": 3, "<s>": 4, "!": 5},
                   "merges": ["< s", "<s >"]}}
        """;
    assertThat(read(json).encode("<s>!", Surround.OMITTED, SpecialText.ESCAPED))
        .containsExactly(3, 2);
    String unigram =
        """
        {"added_tokens": [{"content": "</s>", "special": true}],
         "model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["</s>", 9], ["<", 0], ["/s>", 0]]}}
        """;
    assertThat(read(unigram).encode("</s>", Surround.OMITTED, SpecialText.ESCAPED))
        .containsExactly(2, 3);
  }

  @Test
  void streamsGiveWholeCharactersAndLoseNothing() {
    String text = "aé你😀\u0000 b";
    var stream = bytes.decodeStream(SpecialTokens.SHOWN);
    var streamed = new StringBuilder();
    for (int id : bytes.encode(text, Surround.OMITTED, SpecialText.PARSED)) {
      String part = stream.next(id);
      assertThat(part).doesNotContain("\uFFFD");
      streamed.append(part);
    }
    assertThat(stream.end()).isEmpty();
    assertThat(streamed.toString()).isEqualTo(text);
  }

  @Test
  void streamsReplaceWhatStaysBroken() {
    var stream = bytes.decodeStream(SpecialTokens.SHOWN);
    assertThat(stream.next(0xF0)).isEmpty();
    assertThat(stream.next(0x9F)).isEmpty();
    assertThat(stream.next('a')).isEqualTo("\uFFFDa");
    assertThat(stream.next(0xE4)).isEmpty();
    assertThat(stream.end()).isEqualTo("\uFFFD");
    assertThat(stream.next('b')).isEqualTo("b");
  }

  @Test
  void byteTokensKeepWholeCharactersAndReplaceEachOtherByte() {
    var tokens = sentencePieceTokens("▁", "a");
    Tokenizer tokenizer = read(sentencePiece(tokens, List.of()));
    int[] ids = {3 + 0xE4, 3 + 0xBD, 3 + 0xA0, 3 + 0xE4, 3 + 0xBD, 260, 3 + 0xF0};
    assertThat(tokenizer.decode(ids, SpecialTokens.SHOWN)).isEqualTo("你\uFFFD\uFFFDa\uFFFD");
  }

  @Test
  void streamsAndWholeTextsAgreeOnAnyIds() {
    var random = new Random(5);
    var tokens = sentencePieceTokens("▁", "a", "▁▁", "é", "▁a");
    for (Tokenizer tokenizer : List.of(bytes, read(sentencePiece(tokens, List.of("▁ ▁", "▁ a"))))) {
      for (int i = 0; i < 2000; i++) {
        int[] ids = random.ints(random.nextInt(12), -3, tokenizer.vocabularySize() + 3).toArray();
        for (SpecialTokens special : SpecialTokens.values()) {
          var stream = tokenizer.decodeStream(special);
          var streamed = new StringBuilder();
          IntStream.of(ids).forEach(id -> streamed.append(stream.next(id)));
          streamed.append(stream.end());
          assertThat(streamed.toString()).isEqualTo(tokenizer.decode(ids, special));
        }
      }
    }
  }

  @Test
  void anyTextComesBackFromItsIds() {
    var random = new Random(11);
    for (int i = 0; i < 2000; i++) {
      String text =
          random
              .ints(random.nextInt(20), 0, 0x2FFFF)
              .filter(c -> c < 0xD800 || c > 0xDFFF)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      int[] ids = bytes.encode(text, Surround.OMITTED, SpecialText.ESCAPED);
      assertThat(bytes.decode(ids, SpecialTokens.SHOWN)).isEqualTo(text);
      byte[] joined = new byte[text.getBytes(StandardCharsets.UTF_8).length];
      int length = 0;
      for (int id : ids) {
        for (byte b : bytes.bytes(id)) {
          joined[length++] = b;
        }
      }
      assertThat(new String(joined, 0, length, StandardCharsets.UTF_8)).isEqualTo(text);
    }
  }

  @Test
  void halfAPairIsNoText() {
    assertThat(bytes.encode("a\uD83D", Surround.OMITTED, SpecialText.PARSED))
        .isEqualTo(bytes.encode("a\uFFFD", Surround.OMITTED, SpecialText.PARSED));
  }

  @Test
  void idsOutsideTheVocabularyHaveNoText() {
    assertThat(bytes.decode(new int[] {-1, 'a', 100_000}, SpecialTokens.SHOWN)).isEqualTo("a");
    assertThat(bytes.has(100_000)).isFalse();
    assertThatThrownBy(() -> bytes.token(100_000))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("100000");
  }

  @Test
  void threadsShareATokenizer() {
    String text = "ab abab <|end|> b a 你好 ".repeat(50);
    int[] expected = bytes.encode(text, Surround.ADDED, SpecialText.PARSED);
    assertThat(
            IntStream.range(0, 200)
                .parallel()
                .mapToObj(i -> bytes.encode(text, Surround.ADDED, SpecialText.PARSED)))
        .allSatisfy(ids -> assertThat(ids).isEqualTo(expected));
  }

  @Test
  void longMonotonousTextsTakeNoTime() {
    Tokenizer tokenizer = read(byteLevel("", "a a", "aa aa", "Ġ Ġ", "ĠĠ ĠĠ"));
    for (String unit : List.of("a", " ", "😀", "\n", "1", "!", "你")) {
      String text = unit.repeat(300_000 / unit.length());
      int[] ids = tokenizer.encode(text, Surround.OMITTED, SpecialText.PARSED);
      assertThat(tokenizer.decode(ids, SpecialTokens.SHOWN)).isEqualTo(text);
    }
  }
}
