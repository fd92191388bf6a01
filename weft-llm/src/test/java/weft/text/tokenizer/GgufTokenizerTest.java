package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.text.tokenizer.SmallTokenizers.sentencePieceTokens;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import weft.text.TextException;
import weft.text.regex.Effort;
import weft.text.tokenizer.GgufVocabulary.Flag;
import weft.text.tokenizer.GgufVocabulary.Role;

class GgufTokenizerTest {
  private static final int UNKNOWN = 2;
  private static final int CONTROL = 3;
  private static final int USER_DEFINED = 4;
  private static final int BYTE = 6;

  @Test
  void scoresGiveTheSameIdsAsTheMergesOfTheJson() {
    String[] others = {"▁", "a", "b", "▁a", "ab", "▁ab", "ba", "aba", "bab", "▁b"};
    var tokens = sentencePieceTokens(others);
    var merges =
        List.of("▁ a", "a b", "▁a b", "▁ ab", "b a", "ab a", "a ba", "ba b", "b ab", "▁ b");
    Tokenizer json = SmallTokenizers.read(SmallTokenizers.sentencePiece(tokens, merges));
    Tokenizer gguf = Tokenizer.of(sentencePiece(tokens, Map.of()));
    var random = new Random(9);
    for (int i = 0; i < 500; i++) {
      String text =
          random
              .ints(random.nextInt(30), 0, 5)
              .collect(
                  StringBuilder::new,
                  (sb, c) -> sb.append("ab é<".charAt(c)),
                  StringBuilder::append)
              .toString();
      int[] ids = gguf.encode(text, Surround.ADDED, SpecialText.PARSED);
      assertThat(ids).as(text).isEqualTo(json.encode(text, Surround.ADDED, SpecialText.PARSED));
      assertThat(gguf.decode(ids, SpecialTokens.SKIPPED)).isEqualTo(text);
    }
    assertThat(gguf.bos()).hasValue(1);
    assertThat(gguf.eos()).hasValue(2);
    assertThat(gguf.unknown()).hasValue(0);
  }

  @Test
  void theSpacePrefixCanBeLeftOut() {
    var tokens = sentencePieceTokens("▁", "a", "▁a");
    var flags = Map.of(Flag.ADD_SPACE_PREFIX, false, Flag.ADD_BOS, false, Flag.ADD_EOS, true);
    Tokenizer tokenizer = Tokenizer.of(sentencePiece(tokens, flags));
    assertThat(tokenizer.encode("a a", Surround.ADDED, SpecialText.PARSED))
        .containsExactly(260, 261, 2);
    assertThat(tokenizer.decode(new int[] {261}, SpecialTokens.SHOWN)).isEqualTo(" a");
  }

  @Test
  void spacesThatAUserDefinedMergeFirst() {
    var tokens = sentencePieceTokens("▁", "a", "▁a", "  ", "   ");
    int[] types = types(tokens.size());
    types[262] = USER_DEFINED;
    types[263] = USER_DEFINED;
    float[] scores = scores(tokens.size());
    scores[262] = -1000;
    scores[263] = -1000;
    Tokenizer tokenizer =
        Tokenizer.of(
            new GgufVocabulary(
                "llama",
                "default",
                tokens,
                types,
                scores,
                List.of(),
                Map.of(),
                Map.of(Flag.ADD_SPACE_PREFIX, false),
                new byte[0]));
    assertThat(tokenizer.encode("a    a", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly(260, 263, 261);
    assertThat(tokenizer.encode("   a", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly(263, 260);
    assertThat(tokenizer.token(262)).isEqualTo("▁▁");
  }

  @Test
  void preTokenizersAreKnownByName() {
    assertThat(byteLevel("gpt-2").encode("a12 345", Surround.OMITTED, SpecialText.PARSED))
        .isEqualTo(byteLevel("llama-bpe").encode("a12 345", Surround.OMITTED, SpecialText.PARSED));
    // 1 2 is a merge: digits that stand alone cannot make it.
    assertThat(byteLevel("llama3").encode("12", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly(256);
    assertThat(byteLevel("qwen2").encode("12", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly('1', '2');
    assertThat(byteLevel("smollm").encode("12", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly('1', '2');
    assertThat(byteLevel("tekken").encode("12", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly('1', '2');
  }

  @Test
  void qwenComposesCharactersAndOthersDoNot() {
    assertThat(byteLevel("qwen2").encode("e\u0301", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly(0xC3, 0xA9);
    assertThat(byteLevel("qwen35").encode("e\u0301", Surround.OMITTED, SpecialText.PARSED))
        .containsExactly(0xC3, 0xA9);
    assertThat(byteLevel("llama-bpe").encode("e\u0301", Surround.OMITTED, SpecialText.PARSED))
        .hasSize(3);
  }

  @Test
  void everyNamedPreTokenizerWorks() {
    for (var family : PreTokenizerFamily.values()) {
      var pieces =
          family
              .preTokenizer()
              .apply(Pieces.of("Hello World's 12345, 你好\n\n  ok", true), Effort.on(30));
      var text = new StringBuilder();
      for (int i = 0; i < pieces.count(); i++) {
        text.append(pieces.text(), pieces.start(i), pieces.end(i) - pieces.start(i));
      }
      assertThat(text.toString())
          .as(family.name())
          .isEqualTo(ByteAlphabet.write("Hello World's 12345, 你好\n\n  ok"));
      assertThat(pieces.count()).as(family.name()).isGreaterThan(3);
    }
  }

  @Test
  void unknownNamesAreAnErrorThatListsTheKnownOnes() {
    assertThatThrownBy(() -> byteLevel("brand-new"))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("brand-new")
        .hasMessageContaining("llama-bpe")
        .hasMessageContaining("qwen35");
    assertThatThrownBy(
            () ->
                Tokenizer.of(
                    new GgufVocabulary(
                        "rwkv",
                        "",
                        List.of("a"),
                        new int[0],
                        new float[0],
                        List.of(),
                        Map.of(),
                        Map.of(),
                        new byte[0])))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("rwkv")
        .hasMessageContaining("gpt2");
  }

  @Test
  void metadataThatDoesNotFitTogetherIsRefused() {
    var tokens = List.of("a", "b");
    assertThatThrownBy(() -> vocabulary(List.of(), new int[0], new float[0], Map.of(), List.of()))
        .isInstanceOf(TextException.class);
    assertThatThrownBy(() -> vocabulary(tokens, new int[1], new float[0], Map.of(), List.of()))
        .isInstanceOf(TextException.class);
    assertThatThrownBy(() -> vocabulary(tokens, new int[0], new float[3], Map.of(), List.of()))
        .isInstanceOf(TextException.class);
    assertThatThrownBy(
            () -> vocabulary(tokens, new int[0], new float[0], Map.of(Role.BOS, 2), List.of()))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("tokenizer.ggml.bos_token_id");
    var broken = vocabulary(tokens, new int[0], new float[0], Map.of(), List.of("ab"));
    assertThatThrownBy(() -> Tokenizer.of(broken)).isInstanceOf(TextException.class);
  }

  @Test
  void aPaddingTokenThatDoesNotExistIsNone() {
    var tokens = List.of("a", "b");
    var gguf =
        vocabulary(
            tokens, new int[0], new float[0], Map.of(Role.PADDING, 2, Role.EOS, 1), List.of());
    assertThat(Tokenizer.of(gguf).padding()).isEmpty();
    assertThat(Tokenizer.of(gguf).eos()).hasValue(1);
  }

  @Test
  void mergesToNoTokenAreSkipped() {
    var tokens = List.of("a", "b", "ab");
    var merges = List.of("a c", "b a", "a b");
    Tokenizer tokenizer =
        Tokenizer.of(vocabulary(tokens, new int[0], new float[0], Map.of(), merges));
    assertThat(tokenizer.encode("bab", Surround.OMITTED, SpecialText.PARSED)).containsExactly(1, 2);
  }

  @Test
  void unigramVocabulariesMarkSpacesAndEnd() {
    var tokens = List.of("<pad>", "</s>", "<unk>", "▁", "a", "b", "▁a", "ab");
    int[] types = {CONTROL, CONTROL, UNKNOWN, 1, 1, 1, 1, 1};
    float[] scores = {0, 0, 0, -2, -3, -3, -2.5f, -4};
    Tokenizer tokenizer =
        Tokenizer.of(
            new GgufVocabulary(
                "t5", "", tokens, types, scores, List.of(), Map.of(), Map.of(), new byte[0]));
    assertThat(tokenizer.encode("ab  a ", Surround.ADDED, SpecialText.PARSED))
        .containsExactly(6, 5, 6, 1);
    assertThat(tokenizer.decode(new int[] {6, 5, 6, 1}, SpecialTokens.SKIPPED)).isEqualTo("ab a");
    assertThat(tokenizer.encode("axy", Surround.OMITTED, SpecialText.PARSED)).containsExactly(6, 2);
  }

  private static GgufVocabulary sentencePiece(List<String> tokens, Map<Flag, Boolean> flags) {
    return new GgufVocabulary(
        "llama",
        "default",
        tokens,
        types(tokens.size()),
        scores(tokens.size()),
        List.of(),
        Map.of(),
        flags,
        new byte[0]);
  }

  private static int[] types(int count) {
    int[] types = new int[count];
    for (int id = 0; id < count; id++) {
      types[id] = id == 0 ? UNKNOWN : id < 3 ? CONTROL : id < 259 ? BYTE : 1;
    }
    return types;
  }

  private static float[] scores(int count) {
    float[] scores = new float[count];
    for (int id = 259; id < count; id++) {
      scores[id] = -(id - 259);
    }
    return scores;
  }

  private static Tokenizer byteLevel(String pre) {
    var tokens = new ArrayList<String>();
    for (int b = 0; b < 256; b++) {
      tokens.add(String.valueOf(ByteAlphabet.character(b)));
    }
    tokens.add("12");
    return Tokenizer.of(
        new GgufVocabulary(
            "gpt2",
            pre,
            tokens,
            new int[0],
            new float[0],
            List.of("1 2"),
            Map.of(),
            Map.of(),
            new byte[0]));
  }

  private static GgufVocabulary vocabulary(
      List<String> tokens,
      int[] types,
      float[] scores,
      Map<Role, Integer> ids,
      List<String> merges) {
    return new GgufVocabulary(
        "gpt2", "gpt-2", tokens, types, scores, merges, ids, Map.of(), new byte[0]);
  }
}
