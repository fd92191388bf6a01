package weft.text.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Every recorded result of the reference implementations, for every real tokenizer. */
class SharedTokenizerTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "llama3_2",
        "qwen2_5",
        "qwen3",
        "qwen35-proxy",
        "gemma",
        "gemma2",
        "gemma3",
        "gpt2",
        "llama2",
        "mistral-v1"
      })
  void tokenizerJsonGivesWhatTheReferencesGive(String name) {
    Tokenizer tokenizer = SharedText.fromJson(name);
    assertThat(differences(tokenizer, name + "/hf.jsonl")).isEmpty();
    if (SharedText.has(name + "/llamacpp.jsonl")) {
      assertThat(escapedDifferences(tokenizer, name)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "llama3_2/ggml-vocab-llama3_2.gguf, llama3_2, ggml-vocab-llama-bpe",
    "qwen3/ggml-vocab-qwen3.gguf, qwen3, ggml-vocab-qwen2",
    "qwen35-proxy/ggml-vocab-qwen35-proxy.gguf, qwen35-proxy,",
    "gemma2/ggml-vocab-gemma2.gguf, gemma2,",
    "gemma3/ggml-vocab-gemma3.gguf, gemma3,",
    "llama.cpp/ggml-vocab-gpt-2.gguf, gpt2, ggml-vocab-gpt-2",
    "llama.cpp/ggml-vocab-llama-spm.gguf, llama2, ggml-vocab-llama-spm",
    "llama.cpp/ggml-vocab-phi-3.gguf, , ggml-vocab-phi-3"
  })
  void ggufGivesWhatTheReferencesGive(String file, String huggingFace, String llamaCpp) {
    Tokenizer tokenizer = SharedText.fromGguf(file);
    if (huggingFace != null) {
      assertThat(differences(tokenizer, huggingFace + "/hf.jsonl")).isEmpty();
    }
    if (llamaCpp != null) {
      assertThat(inputDifferences(tokenizer, llamaCpp)).isEmpty();
    }
  }

  @Test
  void specialTokensOfPhi3TakeSpacesAlong() {
    Tokenizer tokenizer = SharedText.fromGguf("llama.cpp/ggml-vocab-phi-3.gguf");
    int user = tokenizer.idOf("<|user|>").orElseThrow();
    int[] tight = tokenizer.encode("<|user|>Hi", Surround.OMITTED, SpecialText.PARSED);
    assertThat(tokenizer.encode("<|user|>\n Hi", Surround.OMITTED, SpecialText.PARSED))
        .isEqualTo(tight)
        .startsWith(user);
    assertThat(tokenizer.encode("<s>\nHi", Surround.OMITTED, SpecialText.PARSED))
        .hasSizeGreaterThan(2);
  }

  private static List<String> escapedDifferences(Tokenizer tokenizer, String name) {
    var different = new ArrayList<String>();
    for (JsonNode row : SharedText.rows(name + "/llamacpp.jsonl")) {
      String text = row.get("text").stringValue();
      int[] parsed = tokenizer.encode(text, Surround.OMITTED, SpecialText.PARSED);
      // Where Hugging Face disagrees it is right: Qwen's NFC, and </s>, which is a tag to Gemma.
      boolean disputed =
          !Arrays.equals(parsed, ids(row, "ids"))
              || (name.startsWith("gemma") && text.contains("</s>"));
      if (row.has("ids_no_parse_special") && !disputed) {
        int[] ids = tokenizer.encode(text, Surround.OMITTED, SpecialText.ESCAPED);
        compare(different, text, ids(row, "ids_no_parse_special"), ids);
      }
    }
    return different;
  }

  private static List<String> differences(Tokenizer tokenizer, String path) {
    var different = new ArrayList<String>();
    for (JsonNode row : SharedText.rows(path)) {
      int[] ids = ids(row, "ids");
      if (!row.get("text").isNull()) {
        var surround = row.get("add_special").booleanValue() ? Surround.ADDED : Surround.OMITTED;
        int[] encoded =
            tokenizer.encode(row.get("text").stringValue(), surround, SpecialText.PARSED);
        compare(different, row.get("text").toString(), ids, encoded);
      }
      if (!row.path("disputed_decode").booleanValue(false)) {
        compare(different, row, "decoded", tokenizer, ids, SpecialTokens.SHOWN);
        compare(different, row, "decoded_skip_special", tokenizer, ids, SpecialTokens.SKIPPED);
      }
    }
    return different;
  }

  private static void compare(
      List<String> different,
      JsonNode row,
      String key,
      Tokenizer tokenizer,
      int[] ids,
      SpecialTokens special) {
    String expected = row.get(key).stringValue();
    String decoded = tokenizer.decode(ids, special);
    var streamed = new StringBuilder();
    var stream = tokenizer.decodeStream(special);
    IntStream.of(ids).forEach(id -> streamed.append(stream.next(id)));
    streamed.append(stream.end());
    if (!decoded.equals(expected) || !streamed.toString().equals(expected)) {
      different.add(
          key + " of " + Arrays.toString(ids) + ": expected " + expected + " but got " + decoded);
    }
  }

  private static List<String> inputDifferences(Tokenizer tokenizer, String name) {
    var different = new ArrayList<String>();
    String[] inputs =
        SharedText.text("llama.cpp/" + name + ".gguf.inp").split("\n__ggml_vocab_test__\n", -1);
    List<String> outputs = SharedText.text("llama.cpp/" + name + ".gguf.out").lines().toList();
    for (int i = 0; i < outputs.size(); i++) {
      int[] expected =
          Arrays.stream(outputs.get(i).trim().split(" +"))
              .filter(id -> !id.isEmpty())
              .mapToInt(Integer::parseInt)
              .toArray();
      compare(
          different,
          inputs[i],
          expected,
          tokenizer.encode(inputs[i], Surround.OMITTED, SpecialText.PARSED));
    }
    return different;
  }

  private static void compare(List<String> different, String text, int[] expected, int[] met) {
    if (!Arrays.equals(expected, met)) {
      different.add(
          text + ": expected " + Arrays.toString(expected) + " but got " + Arrays.toString(met));
    }
  }

  private static int[] ids(JsonNode row, String key) {
    return row.get(key).valueStream().mapToInt(JsonNode::intValue).toArray();
  }
}
