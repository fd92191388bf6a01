package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DecoderTest {
  @Test
  void withoutADecoderTokensAreWords() {
    assertThat(decode(Decoder.SPACED, "a", "b")).isEqualTo("a b");
  }

  @Test
  void stripTakesUpToSoManyOffEachToken() {
    String json = "{\"type\": \"Strip\", \"content\": \"x\", \"start\": 2, \"stop\": 1}";
    assertThat(decode(json, "xxxaxx", "xb", "")).isEqualTo("xaxb");
  }

  @Test
  void stripAfterFuseTakesFromTheTextAsAWhole() {
    String json =
        """
        {"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": %d}]}
        """;
    assertThat(decode(json.formatted(0), "", " ", " a", "b ")).isEqualTo(" ab ");
    assertThat(decode(json.formatted(1), " a", "b ")).isEqualTo("ab");
  }

  @Test
  void replaceAfterFuseSeesTheWholeText() {
    String json =
        """
        {"type": "Sequence", "decoders": [{"type": "Fuse"},
          {"type": "Replace", "pattern": {"Regex": "ab+"}, "content": "-"}]}
        """;
    assertThat(decode(json, "a", "b", "b", "a")).isEqualTo("-a");
    String perToken =
        "{\"type\": \"Replace\", \"pattern\": {\"String\": \"ab\"}, \"content\": \"-\"}";
    assertThat(decode(perToken, "a", "b", "ab")).isEqualTo("ab-");
  }

  @Test
  void metaspaceDropsTheMarkThatEncodingAdded() {
    String json = "{\"type\": \"Metaspace\", \"replacement\": \"▁\", \"prepend_scheme\": \"%s\"}";
    assertThat(decode(json.formatted("always"), "▁a", "▁b▁")).isEqualTo("a b ");
    assertThat(decode(json.formatted("never"), "▁a", "▁b")).isEqualTo(" a b");
  }

  @Test
  void byteLevelTokensOutsideTheAlphabetStandForThemselves() {
    assertThat(decode(new Decoder.ByteLevel(), "Ġa", "<你>", "Ã", "©")).isEqualTo(" a<你>é");
  }

  @Test
  void byteTokensNeedTwoDigits() {
    assertThat(decode(new Decoder.ByteFallback(), "<0x41>", "<0x4>", "<0xZZ>", "<0x4a>"))
        .isEqualTo("A<0x4><0xZZ>J");
  }

  private static String decode(String json, String... tokens) {
    return decode(DecoderJson.read(Optional.of(SmallTokenizers.part(json))), tokens);
  }

  /** Decodes twice with the same stages, which must be ready for a second text. */
  private static String decode(Decoder decoder, String... tokens) {
    var text = new StringBuilder();
    var stage = decoder.open(new DecoderStages.Collected(text));
    List.of(tokens).forEach(stage::accept);
    stage.finish();
    String first = text.toString();
    text.setLength(0);
    List.of(tokens).forEach(stage::accept);
    stage.finish();
    assertThat(text.toString()).isEqualTo(first);
    return first;
  }
}
