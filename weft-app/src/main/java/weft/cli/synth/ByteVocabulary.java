package weft.cli.synth;

import java.util.ArrayList;
import java.util.List;
import weft.format.GgufWriter;
import weft.format.NumberArray;
import weft.format.ValueType;

/**
 * A byte-level vocabulary of any size: the 256 bytes, a few merges, two control tokens, and names
 * that no text contains.
 */
final class ByteVocabulary {
  private static final long NORMAL = 1;
  private static final long CONTROL = 3;
  private static final long UNUSED = 5;

  /** In order of rank; each result is a token, as a trained vocabulary would have it. */
  private static final List<String> MERGES =
      List.of("h e", "i n", "e r", "a n", "o n", "Ġ t", "Ġt he", "Ġ a", "an d", "Ġ and", "in g");

  private final List<String> tokens = new ArrayList<>();
  private final int beginning;
  private final int end;

  ByteVocabulary(int size) {
    for (int b = 0; b < 256; b++) tokens.add(Character.toString(alphabet(b)));
    for (var merge : MERGES) tokens.add(merge.replace(" ", ""));
    this.beginning = tokens.size();
    this.end = beginning + 1;
    tokens.add("<|begin|>");
    tokens.add("<|end|>");
    if (tokens.size() > size) {
      throw new IllegalArgumentException(
          "a vocabulary has at least " + tokens.size() + " tokens, got " + size);
    }
    for (int id = tokens.size(); id < size; id++) tokens.add("<|unused-" + id + "|>");
  }

  /**
   * GPT-2's alphabet: printable characters of Latin-1 stand for themselves, the other bytes for
   * characters from U+0100 on.
   */
  private static int alphabet(int b) {
    if (isPrintable(b)) return b;
    int before = 0;
    for (int other = 0; other < b; other++) {
      if (!isPrintable(other)) before++;
    }
    return 0x100 + before;
  }

  private static boolean isPrintable(int b) {
    return b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE;
  }

  void describe(GgufWriter writer) {
    var types = new long[tokens.size()];
    for (int id = 0; id < types.length; id++) {
      types[id] = id < beginning ? NORMAL : id <= end ? CONTROL : UNUSED;
    }
    writer
        .string("tokenizer.ggml.model", "gpt2")
        .string("tokenizer.ggml.pre", "gpt-2")
        .strings("tokenizer.ggml.tokens", tokens)
        .numbers("tokenizer.ggml.token_type", NumberArray.of(ValueType.INT32, types))
        .strings("tokenizer.ggml.merges", MERGES)
        .uint32("tokenizer.ggml.bos_token_id", beginning)
        .uint32("tokenizer.ggml.eos_token_id", end)
        .bool("tokenizer.ggml.add_bos_token", true);
  }
}
