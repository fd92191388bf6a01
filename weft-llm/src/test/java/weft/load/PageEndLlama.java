package weft.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import weft.format.GgufWriter;
import weft.quant.StorageType;

/**
 * A Llama of one layer with random bits for weights of any type, in a file whose last byte is the
 * last byte of a tensor and of a page: a kernel that reads behind the tensor reads no file.
 */
record PageEndLlama(StorageType type, String last) {
  private static final int PAGE = 4096;

  /** Whole blocks of every type. */
  private static final long WIDTH = 256;

  static final int VOCABULARY = 96;

  /** The weights that may be the last. */
  static final List<String> MATRICES =
      List.of(
          "token_embd.weight",
          "output.weight",
          "blk.0.attn_q.weight",
          "blk.0.attn_k.weight",
          "blk.0.attn_v.weight",
          "blk.0.attn_output.weight",
          "blk.0.ffn_gate.weight",
          "blk.0.ffn_up.weight",
          "blk.0.ffn_down.weight");

  void write(Path to, Random random) {
    try {
      write(to, random, 0);
      int behind = (int) (Files.size(to) % PAGE);
      write(to, random, PAGE - behind);
      if (Files.size(to) % PAGE != 0) {
        throw new AssertionError("the file has " + Files.size(to) + " bytes, no whole pages");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(Path to, Random random, int padding) {
    var writer =
        new GgufWriter()
            .string("general.architecture", "llama")
            .string("general.description", " ".repeat(padding))
            .uint32("llama.block_count", 1)
            .uint32("llama.context_length", 64)
            .uint32("llama.embedding_length", WIDTH)
            .uint32("llama.feed_forward_length", WIDTH)
            .uint32("llama.attention.head_count", 4)
            .uint32("llama.attention.head_count_kv", 4)
            .uint32("llama.vocab_size", VOCABULARY)
            .float32("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    for (var norm : List.of("blk.0.attn_norm", "blk.0.ffn_norm", "output_norm")) {
      writer.tensor(
          norm + ".weight",
          StorageType.F32,
          List.of(WIDTH),
          bytes -> {
            for (long i = 0; i < WIDTH; i++)
              bytes.setAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, i, 1);
          });
    }
    var matrices = new ArrayList<>(MATRICES);
    matrices.remove(last);
    matrices.add(last);
    for (var name : matrices) {
      long rows = name.startsWith("blk") ? WIDTH : VOCABULARY;
      writer.tensor(name, type, List.of(rows, WIDTH), bytes -> bits(bytes, random));
    }
    writer.write(to);
  }

  static void bits(MemorySegment memory, Random random) {
    var bytes = new byte[Math.toIntExact(memory.byteSize())];
    random.nextBytes(bytes);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
  }
}
