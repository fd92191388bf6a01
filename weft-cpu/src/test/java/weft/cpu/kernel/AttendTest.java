package weft.cpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** The emitted attention against the formula, over odd numbers of heads, positions and sizes. */
class AttendTest {
  @ParameterizedTest
  @CsvSource({
    "F16, 1, 16, 16, 1, 0, 0",
    "F16, 2, 32, 16, 3, 0, 0",
    "F16, 4, 64, 64, 4, 0, 0",
    "F32, 4, 64, 64, 17, 0, 0",
    "F16, 3, 128, 128, 33, 0, 0",
    "F32, 7, 80, 80, 65, 0, 0",
    "F16, 5, 256, 256, 207, 0, 0",
    "F16, 4, 64, 64, 5, 6, 0",
    "F32, 8, 32, 48, 13, 31, 0",
    "F16, 2, 64, 64, 40, 0, 50",
    "F32, 1, 16, 16, 9, 2, 2",
    "Q8_0, 1, 32, 32, 1, 0, 0",
    "Q8_0, 4, 64, 128, 31, 0, 0",
    "Q8_0, 7, 128, 96, 9, 14, 30",
  })
  void equalsTheFormula(
      String stored, int heads, int keyDim, int valueDim, int first, int second, float cap) {
    var encoding = Encodings.byName(stored).orElseThrow();
    for (var isa : Hosts.levels()) {
      check(isa, encoding, heads, keyDim, valueDim, first, second, cap);
    }
  }

  private static void check(
      Isa isa,
      Encoding encoding,
      int heads,
      int keyDim,
      int valueDim,
      int first,
      int second,
      float cap) {
    try (var rig = new Rig(isa)) {
      int count = first + second;
      var q = rig.randomFloats(heads * keyDim, 1f / (float) Math.sqrt(keyDim));
      var k = rig.randomFloats(count * keyDim, 1);
      var v = rig.randomFloats(count * valueDim, 1);
      var keys = stored(rig, encoding, k, 3 * keyDim);
      var values = stored(rig, encoding, v, 0);
      var out = rig.allocate(4L * heads * valueDim);
      long keyBytes = encoding.bytes(keyDim);
      long valueBytes = encoding.bytes(valueDim);
      var table = rig.allocate(KvRow.BYTES);
      new KvRow(
              MemorySegment.NULL,
              MemorySegment.NULL,
              0,
              0,
              new KvRow.Run(keys, values, first),
              new KvRow.Run(
                  keys.asSlice(first * keyBytes), values.asSlice(first * valueBytes), second))
          .write(table, 0);
      var arguments =
          new AttendArguments(
              rig.floats(q),
              1,
              heads,
              1,
              keyDim,
              valueDim,
              keyBytes,
              valueBytes,
              cap,
              1,
              table,
              out,
              4L * heads * valueDim);
      var block = rig.allocate(AttendArguments.BYTES);
      arguments.write(block);
      var scratch = rig.allocate(AttendArguments.scratchBytes(count));
      rig.library.attend(encoding).orElseThrow().run(block, 0, 1, scratch);
      var expected =
          formula(
              q,
              decoded(encoding, keys, k.length),
              decoded(encoding, values, v.length),
              heads,
              keyDim,
              valueDim,
              cap);
      assertThat(out.toArray(ValueLayout.JAVA_FLOAT))
          .containsExactly(expected, Offset.offset(2e-5f));
    }
  }

  /** Rows of two sequences, the second a ring that has wrapped, in units cut at every place. */
  @Test
  void oneCallServesRowsHeadsAndSplits() {
    for (var isa : Hosts.levels()) {
      for (var encoding : new Encoding[] {Encodings.F32, Encodings.F16, Encodings.Q8_0}) {
        for (int splits = 1; splits <= 3; splits++) checkRows(isa, encoding, splits);
      }
    }
  }

  private static void checkRows(Isa isa, Encoding encoding, int splits) {
    int kvHeads = 2;
    int group = 3;
    int heads = kvHeads * group;
    int keyDim = 64;
    int valueDim = 32;
    int[] capacity = {20, 9};
    int[] counts = {7, 13, 9};
    int[] sequence = {0, 0, 1};
    int wrapped = 4;
    try (var rig = new Rig(isa)) {
      long keyBytes = encoding.bytes(keyDim);
      long valueBytes = encoding.bytes(valueDim);
      var k = new float[2][];
      var v = new float[2][];
      var keys = new MemorySegment[2];
      var values = new MemorySegment[2];
      for (int i = 0; i < 2; i++) {
        k[i] = rig.randomFloats(kvHeads * capacity[i] * keyDim, 1);
        v[i] = rig.randomFloats(kvHeads * capacity[i] * valueDim, 1);
        keys[i] = stored(rig, encoding, k[i], 3 * keyDim);
        values[i] = stored(rig, encoding, v[i], 0);
        k[i] = decoded(encoding, keys[i], k[i].length);
        v[i] = decoded(encoding, values[i], v[i].length);
      }
      var table = rig.allocate(counts.length * KvRow.BYTES);
      for (int row = 0; row < counts.length; row++) {
        int i = sequence[row];
        // The ring's oldest position is the one behind its newest.
        int start = i == 1 ? wrapped : 0;
        int first = Math.min(counts[row], capacity[i] - start);
        new KvRow(
                MemorySegment.NULL,
                MemorySegment.NULL,
                capacity[i] * keyBytes,
                capacity[i] * valueBytes,
                new KvRow.Run(
                    keys[i].asSlice(start * keyBytes),
                    values[i].asSlice(start * valueBytes),
                    first),
                new KvRow.Run(keys[i], values[i], counts[row] - first))
            .write(table, row);
      }
      int rows = counts.length;
      var q = rig.randomFloats(rows * heads * keyDim, 1f / (float) Math.sqrt(keyDim));
      int outWidth = heads * valueDim + 5;
      var out = rig.allocate(4L * rows * outWidth);
      var arguments =
          new AttendArguments(
              rig.floats(q),
              kvHeads,
              group,
              splits,
              keyDim,
              valueDim,
              keyBytes,
              valueBytes,
              0,
              rows,
              table,
              out,
              4L * outWidth);
      var block = rig.allocate(AttendArguments.BYTES);
      arguments.write(block);
      var scratch = rig.allocate(AttendArguments.scratchBytes(13));
      var kernel = rig.library.attend(encoding).orElseThrow();
      long units = arguments.units();
      kernel.run(block, 0, units / 3, scratch);
      kernel.run(block, units / 3, units, scratch);
      for (int row = 0; row < rows; row++) {
        int i = sequence[row];
        for (int head = 0; head < heads; head++) {
          int from = head / group * capacity[i];
          var query =
              Arrays.copyOfRange(
                  q, (row * heads + head) * keyDim, (row * heads + head + 1) * keyDim);
          var seenKeys = Arrays.copyOfRange(k[i], from * keyDim, (from + counts[row]) * keyDim);
          var seenValues =
              Arrays.copyOfRange(v[i], from * valueDim, (from + counts[row]) * valueDim);
          var expected = formula(query, seenKeys, seenValues, 1, keyDim, valueDim, 0);
          long at = 4L * (row * outWidth + head * valueDim);
          assertThat(out.asSlice(at, 4L * valueDim).toArray(ValueLayout.JAVA_FLOAT))
              .as("row %d head %d of %s at %s", row, head, encoding, isa)
              .containsExactly(expected, Offset.offset(2e-5f));
        }
      }
    }
  }

  private static MemorySegment stored(Rig rig, Encoding encoding, float[] values, int behind) {
    var segment = rig.allocate(encoding.bytes(values.length + behind));
    encoding.encode(values, 0, values.length, segment, 0);
    return segment;
  }

  private static float[] decoded(Encoding encoding, MemorySegment from, int count) {
    var out = new float[count];
    encoding.decode(from, 0, out, 0, count);
    return out;
  }

  private static float[] formula(
      float[] q, float[] k, float[] v, int heads, int keyDim, int valueDim, float cap) {
    int count = k.length / keyDim;
    var out = new float[heads * valueDim];
    for (int h = 0; h < heads; h++) {
      var weights = new double[count];
      double total = 0;
      for (int p = 0; p < count; p++) {
        double dot = 0;
        for (int d = 0; d < keyDim; d++) dot += (double) q[h * keyDim + d] * k[p * keyDim + d];
        if (cap > 0) dot = cap * Math.tanh(dot / cap);
        total += weights[p] = Math.exp(dot);
      }
      for (int d = 0; d < valueDim; d++) {
        double sum = 0;
        for (int p = 0; p < count; p++) sum += weights[p] / total * v[p * valueDim + d];
        out[h * valueDim + d] = (float) sum;
      }
    }
    return out;
  }
}
