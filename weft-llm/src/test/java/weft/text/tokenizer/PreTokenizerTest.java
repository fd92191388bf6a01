package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.text.regex.Effort;

class PreTokenizerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Removed; false; the final countdown",
        "Isolated; false; the - final - - countdown",
        "MergedWithPrevious; false; the- final- - countdown",
        "MergedWithNext; false; the -final - -countdown",
        "Contiguous; false; the - final -- countdown",
        "Removed; true; - - -",
        "Contiguous; true; the - final -- countdown"
      })
  void delimitersGoWhereTheBehaviorSays(String behavior, boolean invert, String expected) {
    for (String pattern : List.of("{\"String\": \"-\"}", "{\"Regex\": \"-\"}")) {
      String json =
          "{\"type\": \"Split\", \"pattern\": %s, \"behavior\": \"%s\", \"invert\": %s}"
              .formatted(pattern, behavior, invert);
      assertThat(pieces(json, "the-final--countdown")).containsExactly(expected.split(" "));
    }
  }

  @Test
  void delimitersAtTheEdgesStandAlone() {
    String json = "{\"type\": \"Split\", \"pattern\": {\"String\": \"-\"}, \"behavior\": \"%s\"}";
    assertThat(pieces(json.formatted("MergedWithPrevious"), "-a-")).containsExactly("-", "a-");
    assertThat(pieces(json.formatted("MergedWithNext"), "-a-")).containsExactly("-a", "-");
  }

  @Test
  void emptyPatternsCutBetweenCharacters() {
    String json =
        "{\"type\": \"Split\", \"pattern\": {\"String\": \"\"}, \"behavior\": \"Isolated\"}";
    assertThat(pieces(json, "aé😀")).containsExactly("a", "é", "😀");
  }

  @Test
  void digitsAndPunctuationStandApart() {
    assertThat(pieces("{\"type\": \"Digits\", \"individual_digits\": true}", "a12½"))
        .containsExactly("a", "1", "2", "½");
    assertThat(pieces("{\"type\": \"Digits\"}", "a12b")).containsExactly("a", "12", "b");
    assertThat(pieces("{\"type\": \"Punctuation\"}", "a$,b。"))
        .containsExactly("a", "$", ",", "b", "。");
    assertThat(pieces("{\"type\": \"Punctuation\", \"behavior\": \"Contiguous\"}", "a,;b"))
        .containsExactly("a", ",;", "b");
  }

  @Test
  void spacesSeparateWords() {
    assertThat(pieces("{\"type\": \"Whitespace\"}", "it's 2\u3000é_a!!"))
        .containsExactly("it", "'", "s", "2", "é_a", "!!");
    assertThat(pieces("{\"type\": \"WhitespaceSplit\"}", " it's\n2 ")).containsExactly("it's", "2");
    assertThat(pieces("{\"type\": \"BertPreTokenizer\"}", "it's 2"))
        .containsExactly("it", "'", "s", "2");
    assertThat(pieces("{\"type\": \"CharDelimiterSplit\", \"delimiter\": \"x\"}", "axxb"))
        .containsExactly("a", "b");
    assertThat(pieces("{\"type\": \"FixedLength\", \"length\": 2}", "a\n😀bc"))
        .containsExactly("a\n", "😀b", "c");
  }

  @Test
  void byteLevelWritesBytesAndCanAddASpace() {
    assertThat(pieces("{\"type\": \"ByteLevel\", \"add_prefix_space\": true}", "é don't"))
        .containsExactly("ĠÃ©", "Ġdon", "'t");
    assertThat(
            pieces(
                "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"use_regex\": false}",
                "a b"))
        .containsExactly("aĠb");
    String sequence =
        """
        {"type": "Sequence", "pretokenizers": [{"type": "Digits"}, {"type": "ByteLevel", "add_prefix_space": true}]}
        """;
    assertThat(pieces(sequence, "a1")).containsExactly("Ġa", "Ġ1");
  }

  @Test
  void metaspaceMarksSpacesAndBeginnings() {
    String json =
        "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"%s\", \"split\": %s}";
    assertThat(pieces(json.formatted("always", true), "a  b")).containsExactly("▁a", "▁", "▁b");
    assertThat(pieces(json.formatted("never", false), "a b")).containsExactly("a▁b");
    assertThat(pieces(json.formatted("first", true), " a")).containsExactly("▁a");
    var first =
        PreTokenizerJson.read(Optional.of(SmallTokenizers.part(json.formatted("first", false))));
    assertThat(texts(first.apply(Pieces.of("a", false), Effort.on(1)))).containsExactly("a");
    assertThat(texts(first.apply(Pieces.of("a", true), Effort.on(1)))).containsExactly("▁a");
    String sequence =
        "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"WhitespaceSplit\"}, "
            + json.formatted("first", false)
            + "]}";
    assertThat(pieces(sequence, "a b")).containsExactly("▁a", "b");
    assertThat(pieces(sequence, " a b")).containsExactly("a", "b");
    assertThat(
            pieces(
                "{\"type\": \"Metaspace\", \"replacement\": \"_\", \"add_prefix_space\": false}",
                "a b"))
        .containsExactly("a", "_b");
  }

  private static List<String> pieces(String json, String text) {
    var preTokenizer = PreTokenizerJson.read(Optional.of(SmallTokenizers.part(json)));
    return texts(preTokenizer.apply(Pieces.of(text, true), Effort.on(text.length())));
  }

  private static List<String> texts(Pieces pieces) {
    var texts = new ArrayList<String>();
    for (int i = 0; i < pieces.count(); i++) {
      texts.add(new String(pieces.text(), pieces.start(i), pieces.end(i) - pieces.start(i)));
    }
    return texts;
  }
}
