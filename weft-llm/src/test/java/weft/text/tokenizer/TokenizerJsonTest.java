package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.text.tokenizer.SmallTokenizers.byteLevel;
import static weft.text.tokenizer.SmallTokenizers.plain;
import static weft.text.tokenizer.SmallTokenizers.read;
import static weft.text.tokenizer.SmallTokenizers.sentencePiece;
import static weft.text.tokenizer.SmallTokenizers.sentencePieceTokens;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.text.TextException;

class TokenizerJsonTest {
  @Test
  void byteLevelMergesByRankAndCutsWordsFirst() {
    Tokenizer tokenizer = read(byteLevel("", "l l", "h e", "ll o", "he llo", "Ġ w"));
    assertThat(encode(tokenizer, "hello hell w")).containsExactly(259, ' ', 257, 256, 260);
    assertThat(encode(tokenizer, "é")).containsExactly(0xC3, 0xA9);
    assertThat(tokenizer.decode(new int[] {259, ' ', 257, 256, 0xC3, 0xA9}, SpecialTokens.SHOWN))
        .isEqualTo("hello hellé");
  }

  @Test
  void sentencePieceFallsBackToBytes() {
    var tokens = sentencePieceTokens("▁", "a", "b", "▁a", "ab", "▁ab");
    Tokenizer tokenizer = read(sentencePiece(tokens, List.of("▁ a", "a b", "▁a b")));
    assertThat(encode(tokenizer, "ab a")).containsExactly(264, 262);
    assertThat(tokenizer.encode("é", Surround.ADDED, SpecialText.PARSED))
        .containsExactly(1, 259, 3 + 0xC3, 3 + 0xA9);
    assertThat(tokenizer.decode(new int[] {1, 264, 262}, SpecialTokens.SKIPPED)).isEqualTo("ab a");
    assertThat(tokenizer.bytes(262)).isEqualTo(" a".getBytes());
    assertThat(tokenizer.bytes(3 + 0xC3)).containsExactly(0xC3);
  }

  @Test
  void eachSectionBetweenSpecialTokensIsNormalizedByItself() {
    var tokens = sentencePieceTokens("▁", "a", "b", "▁a");
    Tokenizer tokenizer = read(sentencePiece(tokens, List.of("▁ a")));
    assertThat(encode(tokenizer, "a</s>a</s>")).containsExactly(262, 2, 262, 2);
  }

  @Test
  void unknownCharactersFuseWhereTheModelSaysSo() {
    String json =
        """
        {"model": {"type": "BPE", "unk_token": "?", "fuse_unk": %s, "vocab": {"?": 0, "a": 1}, "merges": []}}
        """;
    assertThat(encode(read(json.formatted("true")), "xyazz")).containsExactly(0, 1, 0);
    assertThat(encode(read(json.formatted("false")), "xyazz")).containsExactly(0, 0, 1, 0, 0);
  }

  @Test
  void charactersWithoutAnyTokenVanish() {
    assertThat(encode(read(plain("", List.of("a", "b"))), "axb")).containsExactly(0, 1);
  }

  @Test
  void wholeWordsAreTakenBeforeMergesWhereTheModelSaysSo() {
    String json =
        """
        {"model": {"type": "BPE", "ignore_merges": %s,
                   "vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}, "merges": [["a", "b"]]}}
        """;
    assertThat(encode(read(json.formatted("true")), "abc")).containsExactly(4);
    assertThat(encode(read(json.formatted("false")), "abc")).containsExactly(3, 2);
  }

  @Test
  void wordsCanHaveMarksForTheirMiddleAndEnd() {
    String json =
        """
        {"pre_tokenizer": {"type": "WhitespaceSplit"},
         "decoder": {"type": "BPEDecoder", "suffix": "</w>"},
         "model": {"type": "BPE", "end_of_word_suffix": "</w>",
                   "vocab": {"a": 0, "a</w>": 1, "b</w>": 2, "ab</w>": 3}, "merges": ["a b</w>"]}}
        """;
    Tokenizer tokenizer = read(json);
    assertThat(encode(tokenizer, "ab aa")).containsExactly(3, 0, 1);
    assertThat(tokenizer.decode(new int[] {3, 0, 1}, SpecialTokens.SHOWN)).isEqualTo("ab aa");
    String prefixed =
        """
        {"model": {"type": "BPE", "continuing_subword_prefix": "##",
                   "vocab": {"a": 0, "##b": 1, "ab": 2, "##c": 3}, "merges": ["a ##b"]}}
        """;
    assertThat(encode(read(prefixed), "abc")).containsExactly(2, 3);
  }

  @Test
  void unigramTakesTheBestSum() {
    String json =
        """
        {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", 0], ["b", 0], ["c", 0], ["d", 0],
            ["cd", 1], ["ab", 2], ["abc", 5], ["abcd", 10]]}}
        """;
    assertThat(encode(read(json), "abcdacdxx")).containsExactly(8, 1, 5, 0);
    assertThat(encode(read(json), "xabx")).containsExactly(0, 6, 0);
  }

  @Test
  void templatesSurroundATextThatStandsAlone() {
    String members =
        """
        "post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel"}, {"type": "TemplateProcessing",
          "single": [{"SpecialToken": {"id": "X", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                     {"SpecialToken": {"id": "Y", "type_id": 0}}],
          "special_tokens": {"X": {"id": "X", "ids": [1, 0], "tokens": ["b", "a"]}, "Y": {"id": "Y", "ids": [1], "tokens": ["b"]}}}]}""";
    Tokenizer tokenizer = read(plain(members, List.of("a", "b")));
    assertThat(tokenizer.encode("a", Surround.ADDED, SpecialText.PARSED))
        .containsExactly(1, 0, 0, 1);
    assertThat(tokenizer.encode("", Surround.ADDED, SpecialText.PARSED)).containsExactly(1, 0, 1);
    assertThat(encode(tokenizer, "a")).containsExactly(0);
    String roberta =
        "\"post_processor\": {\"type\": \"RobertaProcessing\", \"cls\": [\"a\", 0], \"sep\": [\"b\", 1]}";
    assertThat(
            read(plain(roberta, List.of("a", "b"))).encode("b", Surround.ADDED, SpecialText.PARSED))
        .containsExactly(0, 1, 1);
  }

  @Test
  void theConfigurationNamesTokensAndAddsThemWhereTheClassDoes() {
    String config =
        """
        {"bos_token": {"content": "a"}, "eos_token": "b", "add_bos_token": true, "tokenizer_class": "%s"}
        """;
    String json = plain("", List.of("a", "b", "c"));
    Tokenizer llama = read(json, config.formatted("LlamaTokenizer"));
    assertThat(llama.bos()).hasValue(0);
    assertThat(llama.eos()).hasValue(1);
    assertThat(llama.padding()).isEmpty();
    assertThat(llama.encode("c", Surround.ADDED, SpecialText.PARSED)).containsExactly(0, 2);
    Tokenizer other = read(json, config.formatted("PreTrainedTokenizerFast"));
    assertThat(other.encode("c", Surround.ADDED, SpecialText.PARSED)).containsExactly(2);
  }

  @Test
  void addedTokensKeepTheirIdsOrFollowOn() {
    String members =
        "\"added_tokens\": [{\"content\": \"b\"}, {\"content\": \"<x>\"}, {\"content\": \"<y>\"}]";
    Tokenizer tokenizer = read(plain(members, List.of("a", "b")));
    assertThat(encode(tokenizer, "ab<y><x>")).containsExactly(0, 1, 3, 2);
    assertThat(tokenizer.vocabularySize()).isEqualTo(4);
    assertThat(tokenizer.idOf("<x>")).hasValue(2);
    assertThat(tokenizer.idOf("<z>")).isEmpty();
    assertThat(tokenizer.token(3)).isEqualTo("<y>");
  }

  @Test
  void readsFilesAndWhatLiesBesideThem(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("tokenizer.json");
    assertThatThrownBy(() -> Tokenizer.fromJson(file))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("tokenizer.json");
    Files.writeString(file, plain("", List.of("a", "b")));
    assertThat(Tokenizer.fromJson(file).eos()).isEmpty();
    Files.writeString(folder.resolve("tokenizer_config.json"), "{\"eos_token\": \"b\"}");
    assertThat(Tokenizer.fromJson(file).eos()).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"model\": []}",
        "{\"model\": {\"type\": \"WordPiece\", \"vocab\": {}}}",
        "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": -1}, \"merges\": []}}",
        "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 2000000000}, \"merges\": []}}",
        "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 99999999999}, \"merges\": []}}",
        "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [\"a b\"]}}",
        "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [\"aa\"]}}",
        "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": [[\"a\"]]}}",
        "{\"model\": {\"type\": \"Unigram\", \"unk_id\": 7, \"vocab\": [[\"a\", 0]]}}",
        "{\"model\": {\"type\": \"Unigram\", \"vocab\": [[\"a\", 1e999]]}}",
        "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": []}} x",
        "{\"normalizer\": {\"type\": \"Magic\"}, \"model\": {\"vocab\": {}, \"merges\": []}}",
        "{\"normalizer\": {\"type\": \"Precompiled\", \"precompiled_charsmap\": \"!\"}, \"model\": {\"vocab\": {}, \"merges\": []}}",
        "{\"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": {\"Regex\": \"(\"}, \"behavior\": \"Isolated\"}, \"model\": {\"vocab\": {}, \"merges\": []}}",
        "{\"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": 3, \"behavior\": \"Isolated\"}, \"model\": {\"vocab\": {}, \"merges\": []}}",
        "{\"decoder\": {\"type\": \"Strip\", \"content\": \"\", \"start\": 1, \"stop\": 0}, \"model\": {\"vocab\": {}, \"merges\": []}}",
        "{\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": []}, \"model\": {\"vocab\": {}, \"merges\": []}}",
        "{\"added_tokens\": [3], \"model\": {\"vocab\": {}, \"merges\": []}}"
      })
  void whatIsNoTokenizerIsRefused(String json) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(TextException.class);
  }

  @Test
  void rulesThatMakeTextExplodeAreRefused() {
    String doubling =
        "{\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, \"content\": \"aa\"},";
    String normalizer =
        "\"normalizer\": {\"type\": \"Sequence\", \"normalizers\": [%s {\"type\": \"NFC\"}]}"
            .formatted(doubling.repeat(60));
    Tokenizer tokenizer = read(plain(normalizer, List.of("a")));
    assertThatThrownBy(() -> encode(tokenizer, "a".repeat(1000))).isInstanceOf(TextException.class);
    String bytes = "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"use_regex\": false},";
    String pre =
        "\"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [%s {\"type\": \"WhitespaceSplit\"}]}"
            .formatted(bytes.repeat(60));
    assertThatThrownBy(() -> encode(read(plain(pre, List.of("a"))), "é".repeat(1000)))
        .isInstanceOf(TextException.class);
    String decoder =
        "\"decoder\": {\"type\": \"Sequence\", \"decoders\": [%s {\"type\": \"Fuse\"}]}"
            .formatted(doubling.repeat(60));
    assertThatThrownBy(() -> read(plain(decoder, List.of("a")))).isInstanceOf(TextException.class);
  }

  @Test
  void deepFilesAreRefused() {
    String open = "{\"type\": \"Sequence\", \"normalizers\": [";
    assertThatThrownBy(() -> read("{\"normalizer\": " + open.repeat(50_000)))
        .isInstanceOf(TextException.class)
        .hasMessageContaining("JSON");
  }

  private static int[] encode(Tokenizer tokenizer, String text) {
    return tokenizer.encode(text, Surround.OMITTED, SpecialText.PARSED);
  }
}
