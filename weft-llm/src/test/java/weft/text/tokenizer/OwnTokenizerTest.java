package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import weft.text.OwnText;

/** Tokenizers shaped as those of models against the plainest reading of their rules. */
class OwnTokenizerTest {
  @ParameterizedTest
  @ValueSource(strings = {"byte-level", "composed", "sentence-piece", "unigram"})
  void givesWhatTheRulesGive(String name) {
    var tokenizer =
        TokenizerJson.read(OwnText.bytes(name + ".json"), JsonNodeFactory.instance.objectNode());
    var rows =
        OwnText.rows("cases.jsonl").stream()
            .filter(row -> row.get("tokenizer").stringValue().equals(name))
            .toList();
    assertThat(rows.size()).isGreaterThan(10);
    for (var row : rows) {
      var text = row.get("text").stringValue();
      int[] ids = row.get("ids").valueStream().mapToInt(JsonNode::intValue).toArray();
      assertThat(tokenizer.encode(text, Surround.ADDED, SpecialText.PARSED))
          .as("ids of " + row.get("text"))
          .isEqualTo(ids);
      var decoded = row.get("decoded").stringValue();
      assertThat(tokenizer.decode(ids, SpecialTokens.SHOWN)).as("their text").isEqualTo(decoded);
      var streamed = new StringBuilder();
      var stream = tokenizer.decodeStream(SpecialTokens.SHOWN);
      IntStream.of(ids).forEach(id -> streamed.append(stream.next(id)));
      assertThat(streamed.append(stream.end()).toString()).as("in pieces").isEqualTo(decoded);
    }
  }
}
