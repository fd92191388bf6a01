package weft.cpu.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.cpu.asm.Host;
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
  })
  void equalsTheFormula(
      String stored, int heads, int keyDim, int valueDim, int first, int second, float cap) {
    Assumptions.assumeTrue(
        Host.probe() instanceof Host.Emits(_, var best) && best.includes(Isa.AVX512),
        "the attention kernel needs AVX-512, which this machine lacks");
    var encoding = Encodings.byName(stored).orElseThrow();
    try (var rig = new Rig(Isa.AVX512)) {
      int count = first + second;
      var q = rig.randomFloats(heads * keyDim, 1f / (float) Math.sqrt(keyDim));
      var k = rig.randomFloats(count * keyDim, 1);
      var v = rig.randomFloats(count * valueDim, 1);
      var keys = stored(rig, encoding, k, 3 * keyDim);
      var values = stored(rig, encoding, v, 0);
      var out = rig.allocate(4L * heads * valueDim);
      long keyBytes = encoding.bytes(keyDim);
      long valueBytes = encoding.bytes(valueDim);
      var arguments =
          new AttendArguments(
              heads,
              rig.floats(q),
              keyDim,
              valueDim,
              new AttendArguments.Run(keys, values, first),
              new AttendArguments.Run(
                  keys.asSlice(first * keyBytes), values.asSlice(first * valueBytes), second),
              keyBytes,
              valueBytes,
              cap,
              rig.allocate(heads * AttendArguments.scoreBytes(count)),
              out);
      var block = rig.allocate(AttendArguments.BYTES);
      arguments.write(block);
      rig.library.attend(encoding).orElseThrow().run(block, 0, 0, MemorySegment.NULL);
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
