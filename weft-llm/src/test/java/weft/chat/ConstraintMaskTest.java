package weft.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.constrain.ConstrainException;
import weft.constrain.Constraint;
import weft.constrain.Grammar;
import weft.constrain.Regex;
import weft.constrain.Vocabulary;
import weft.constrain.schema.JsonSchema;
import weft.load.TextParts;
import weft.text.OwnText;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

class ConstraintMaskTest {
  private static final String SCHEMA =
      """
      {"type":"object","additionalProperties":false,"required":["customer_identifier","$_schema","items"],
       "properties":{"customer_identifier":{"type":"string","maxLength":30},
       "$_schema":{"const":"https://example.com/v1"},
       "items":{"type":"array","items":{"enum":["first choice","second choice","third"]}}}}
      """;

  private static final List<String> TEXTS =
      List.of(
          "{\"customer_identifier\": \"Émile 12345\", \"$_schema\": \"https://example.com/v1\","
              + " \"items\": [\"first choice\", \"third\"]}",
          "{\"customer_identifier\":\"\",\"$_schema\":\"https://example.com/v1\",\"items\":[]}",
          "{\n  \"customer_identifier\": \"日本語 \\\"x\\\"\",\n  \"$_schema\":"
              + " \"https://example.com/v1\",\n  \"items\": [\"second choice\"]\n}");

  private static float[] logits(Vocabulary vocabulary) {
    return new float[vocabulary.size() + 3];
  }

  private static Tokenizer own(String name) {
    return Tokenizer.fromJson(OwnText.bytes(name));
  }

  @Test
  void aReplyEndsWhereItsTextIsCompleteAndNowhereElse() {
    var tokenizer = own("byte-level.json");
    int end = tokenizer.vocabularySize();
    var vocabulary = ConstraintMask.vocabulary(tokenizer, Set.of(end));
    var constraint = Constraint.of(Grammar.of(Regex.parse("(ab)+c?")), vocabulary);
    var mask = ConstraintMask.of(constraint, tokenizer);
    var first = logits(vocabulary);
    mask.apply(first);
    assertThat(first[end]).isEqualTo(Float.NEGATIVE_INFINITY);
    for (int token : tokenizer.encode("ab", Surround.OMITTED, SpecialText.ESCAPED)) {
      mask.chosen(token);
    }
    var second = logits(vocabulary);
    mask.apply(second);
    assertThat(second[end]).isZero();
    for (int token : tokenizer.encode("c", Surround.OMITTED, SpecialText.ESCAPED)) {
      mask.chosen(token);
    }
    var last = logits(vocabulary);
    mask.apply(last);
    for (int token = 0; token < last.length; token++) {
      assertThat(last[token]).isEqualTo(token == end ? 0 : Float.NEGATIVE_INFINITY);
    }
    assertThatThrownBy(() -> mask.chosen(0)).isInstanceOf(ConstrainException.class);
  }

  @Test
  void aModelThatCannotEndATextSaysSo() {
    var tokenizer = own("byte-level.json");
    var vocabulary = ConstraintMask.vocabulary(tokenizer, Set.of());
    var mask = ConstraintMask.of(Constraint.of(Grammar.of(Regex.EMPTY), vocabulary), tokenizer);
    assertThatThrownBy(() -> mask.apply(logits(vocabulary)))
        .isInstanceOf(ConstrainException.class)
        .hasMessageContaining("no token that ends");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "llama3_2/ggml-vocab-llama3_2.gguf",
        "gemma3/ggml-vocab-gemma3.gguf",
        "llama.cpp/ggml-vocab-llama-spm.gguf"
      })
  void realTokenizersCutWhatIsForcedTheSame(String name) {
    var file = Path.of("../../shared/text/tokenizers").resolve(name);
    assumeTrue(Files.exists(file), "SKIPPED: no " + name + " in ../shared/text/tokenizers");
    var tokenizer = TextParts.at(file).tokenizer().orElseThrow();
    var vocabulary = ConstraintMask.vocabulary(tokenizer, Set.of(tokenizer.eos().orElseThrow()));
    var constraint = Constraint.of(JsonSchema.compile(SCHEMA), vocabulary);
    int forced = 0;
    for (var text : TEXTS) {
      forced += requireForcedIsCanonical(constraint, tokenizer, text);
      requireMaskIsWhatTokensDo(constraint, tokenizer, text);
    }
    assertThat(forced).as("tokens that need no sampling").isGreaterThan(10);
  }

  /** What is forced is what the tokenizer makes of the whole text. */
  private static int requireForcedIsCanonical(
      Constraint constraint, Tokenizer tokenizer, String text) {
    int[] ids = reply(tokenizer, text);
    var mask = ConstraintMask.of(constraint, tokenizer);
    int forced = 0;
    for (int i = 0; i < ids.length; ) {
      int[] next = mask.forced();
      assertThat(Arrays.copyOfRange(ids, i, Math.min(ids.length, i + next.length)))
          .as(
              "forced in %s behind %s",
              text, tokenizer.decode(Arrays.copyOf(ids, i), SpecialTokens.SHOWN))
          .isEqualTo(next);
      forced += next.length;
      int count = Math.max(1, next.length);
      for (int token : Arrays.copyOfRange(ids, i, i + count)) mask.chosen(token);
      i += count;
    }
    return forced;
  }

  /** As it goes on in the middle of a text, without the space that some put before it. */
  private static int[] reply(Tokenizer tokenizer, String text) {
    int[] ids = tokenizer.encode("x\n" + text, Surround.OMITTED, SpecialText.ESCAPED);
    for (int from = 0; from < ids.length; from++) {
      int[] rest = Arrays.copyOfRange(ids, from, ids.length);
      var bytes = new ByteArrayOutputStream();
      for (int id : rest) bytes.writeBytes(tokenizer.bytes(id));
      if (bytes.toString(StandardCharsets.UTF_8).equals(text)) return rest;
    }
    throw new AssertionError("the tokenizer joins a line's end with " + text);
  }

  /** The mask of a vocabulary of that size, against trying a sample of its tokens. */
  private static void requireMaskIsWhatTokensDo(
      Constraint constraint, Tokenizer tokenizer, String text) {
    var random = new Random(18);
    var matcher = constraint.matcher();
    for (int token : reply(tokenizer, text)) {
      var allowed = matcher.allowed();
      for (int i = 0; i < 400; i++) {
        int other = random.nextInt(constraint.vocabulary().size());
        assertThat(allowed.contains(other))
            .as("token %d in %s", other, text)
            .isEqualTo(matcher.copy().accept(other));
      }
      assertThat(matcher.accept(token)).isTrue();
    }
  }
}
