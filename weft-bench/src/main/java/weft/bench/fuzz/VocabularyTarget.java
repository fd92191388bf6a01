package weft.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import weft.format.Checkpoint;
import weft.format.FormatException;
import weft.format.GgufWriter;
import weft.format.NumberArray;
import weft.format.ValueType;
import weft.load.LoadException;
import weft.load.TextParts;
import weft.text.TextException;
import weft.text.jinja.TemplateException;

/** The vocabularies and templates of GGUF files, and what those that are accepted do with texts. */
final class VocabularyTarget implements Target {
  private static final Path FILE = Path.of("fuzz.gguf");

  private static final List<String> TOKENS =
      List.of(
          "<unk>",
          "<s>",
          "</s>",
          "<0x0A>",
          "<0xC3>",
          "<0xA9>",
          "▁",
          "a",
          "b",
          "▁a",
          "ab",
          "Ġ",
          "Ġa",
          "1",
          "<|im_end|>");

  @Override
  public String name() {
    return "vocabulary";
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        vocabulary("gpt2", "llama-bpe")
            .strings("tokenizer.ggml.merges", List.of("a b", "Ġ a"))
            .bytes(),
        vocabulary("gpt2", "qwen2").strings("tokenizer.ggml.merges", List.of("a b")).bytes(),
        vocabulary("gpt2", "default").bytes(),
        scored("llama", "").bool("tokenizer.ggml.add_space_prefix", true).bytes(),
        scored("t5", "").numbers("tokenizer.ggml.precompiled_charsmap", emptyCharsMap()).bytes(),
        vocabulary("gemma4", "").strings("tokenizer.ggml.merges", List.of("a b", "▁ a")).bytes());
  }

  private static GgufWriter vocabulary(String model, String pre) {
    var types = new long[TOKENS.size()];
    Arrays.fill(types, 1);
    types[0] = 2;
    types[1] = 3;
    types[2] = 3;
    types[3] = 6;
    types[TOKENS.size() - 1] = 4;
    return new GgufWriter()
        .string("general.architecture", "llama")
        .string("tokenizer.ggml.model", model)
        .string("tokenizer.ggml.pre", pre)
        .strings("tokenizer.ggml.tokens", TOKENS)
        .numbers("tokenizer.ggml.token_type", NumberArray.of(ValueType.INT32, types))
        .uint32("tokenizer.ggml.bos_token_id", 1)
        .uint32("tokenizer.ggml.eos_token_id", 2)
        .uint32("tokenizer.ggml.unknown_token_id", 0)
        .bool("tokenizer.ggml.add_bos_token", true)
        .string(
            "tokenizer.chat_template",
            "{{ bos_token }}{% for m in messages %}{{ m.content }}{% endfor %}");
  }

  private static GgufWriter scored(String model, String pre) {
    var scores = new double[TOKENS.size()];
    for (int i = 0; i < scores.length; i++) scores[i] = -i;
    return vocabulary(model, pre).numbers("tokenizer.ggml.scores", NumberArray.ofDoubles(scores));
  }

  private static NumberArray emptyCharsMap() {
    byte[] map = ByteBuffer.allocate(4 + 1024).order(ByteOrder.LITTLE_ENDIAN).putInt(1024).array();
    var numbers = new long[map.length];
    for (int i = 0; i < map.length; i++) numbers[i] = map[i] & 0xFF;
    return NumberArray.of(ValueType.UINT8, numbers);
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return GgufMutation.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    try (var checkpoint = Checkpoint.of(FILE, input)) {
      var text = TextParts.of(checkpoint);
      text.specialTokens();
      text.tokenizer()
          .ifPresent(tokenizer -> TokenizerTarget.use(tokenizer, new Draw(Arrays.hashCode(input))));
      text.chatTemplate();
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof FormatException
        || failure instanceof TextException
        || failure instanceof TemplateException
        || failure instanceof LoadException;
  }

  @Override
  public long mostAllocated() {
    return 16L << 20;
  }
}
