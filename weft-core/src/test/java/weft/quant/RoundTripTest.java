package weft.quant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {
  static Stream<Encoding> encoders() {
    return Encodings.all().stream().filter(encoding -> !(encoding instanceof IQ3_S));
  }

  static Stream<Encoding> searchers() {
    return encoders()
        .filter(encoding -> QuantSamples.bytes(encoding.name() + ".searched").isPresent());
  }

  @ParameterizedTest
  @MethodSource("encoders")
  void staysWithinTheErrorOfItsWidth(Encoding encoding) {
    for (int blocks : new int[] {1, 3, 7}) {
      var values = gaussian(blocks * Math.max(31, encoding.blockValues()), 17 + blocks);

      assertThat(relativeError(values, throughBytes(encoding, values)))
          .as("%s, %d blocks", encoding, blocks)
          .isLessThan(tolerance(encoding));
    }
  }

  /** Root mean square error over that of the values, with room over what was measured. */
  private static double tolerance(Encoding encoding) {
    return switch (encoding) {
      case F32 _, F64 _ -> 1e-12;
      case F16 _ -> 4e-4;
      case BF16 _ -> 3e-3;
      case Q8_0 _ -> 8e-3;
      case F8_E4M3 _ -> 3.5e-2;
      case F8_E5M2 _ -> 7e-2;
      case Q6_K _ -> 2.2e-2;
      case Q5_K _, Q5_0 _, Q5_1 _ -> 5.5e-2;
      case Q4_0 _, Q4_1 _, Q4_K _, IQ4_NL _, IQ4_XS _ -> 0.1;
      case MXFP4 _ -> 0.14;
      case Q3_K _ -> 0.17;
      case Q2_K _ -> 0.3;
      case TQ1_0 _, TQ2_0 _ -> 0.95;
      case IQ3_S _ -> throw new AssertionError("IQ3_S does not encode");
    };
  }

  @ParameterizedTest
  @MethodSource("searchers")
  void findsScalesAsGoodAsTheReference(Encoding encoding) {
    var source = QuantSamples.floats("source.f32");
    var reference =
        MemorySegment.ofArray(QuantSamples.bytes(encoding.name() + ".searched").orElseThrow());
    var expected = new float[source.length];
    encoding.decode(reference, 0, expected, 0, expected.length);

    assertThat(relativeError(source, throughBytes(encoding, source)))
        .as(encoding.name())
        .isLessThanOrEqualTo(1.02 * relativeError(source, expected));
  }

  @ParameterizedTest
  @MethodSource("encoders")
  void keepsZerosAndWritesNothingOutsideItsBlocks(Encoding encoding) {
    var values = new float[3 * encoding.blockValues()];
    int size = (int) encoding.bytes(values.length);
    var bytes = new byte[size + 10];
    Arrays.fill(bytes, (byte) 0x5A);

    encoding.encode(values, 0, values.length, MemorySegment.ofArray(bytes), 5);

    var decoded = new float[values.length];
    encoding.decode(MemorySegment.ofArray(bytes), 5, decoded, 0, decoded.length);
    for (float value : decoded) {
      assertThat(Math.abs(value)).isZero();
    }
    assertThat(bytes)
        .startsWith(0x5A, 0x5A, 0x5A, 0x5A, 0x5A)
        .endsWith(0x5A, 0x5A, 0x5A, 0x5A, 0x5A);
  }

  @ParameterizedTest
  @MethodSource("encoders")
  void encodingWhatWasDecodedChangesLittle(Encoding encoding) {
    var once = throughBytes(encoding, gaussian(5 * encoding.blockValues(), 3));

    var twice = throughBytes(encoding, once);

    assertThat(relativeError(once, twice)).as(encoding.name()).isLessThan(tolerance(encoding) / 2);
  }

  @Test
  void iq3sSaysThatItOnlyDecodes() {
    assertThatExceptionOfType(QuantException.class)
        .isThrownBy(() -> throughBytes(Encodings.IQ3_S, new float[256]))
        .withMessageContaining("decodes IQ3_S but does not encode it");
  }

  @ParameterizedTest
  @MethodSource("eightBitFloats")
  void everyEightBitFloatSurvives(Encoding encoding) {
    for (int code = 0; code < 256; code++) {
      var packed = MemorySegment.ofArray(new byte[] {(byte) code});
      var value = new float[1];
      encoding.decode(packed, 0, value, 0, 1);
      if (Float.isFinite(value[0])) {
        encoding.encode(value, 0, 1, packed, 0);
        assertThat(Bytes.unsigned(packed, 0)).as("%s of %f", encoding, value[0]).isEqualTo(code);
      }
    }
  }

  static List<Encoding> eightBitFloats() {
    return List.of(Encodings.F8_E4M3, Encodings.F8_E5M2);
  }

  @Test
  void eightBitFloatsHaveTheirPublishedLimits() {
    var codes = MemorySegment.ofArray(new byte[] {0x7E, 0x01, 0x7F, (byte) 0xB8});
    var values = new float[4];

    Encodings.F8_E4M3.decode(codes, 0, values, 0, 4);
    assertThat(values).containsExactly(448f, 0x1p-9f, Float.NaN, -1f);

    var others = MemorySegment.ofArray(new byte[] {0x7B, 0x01, 0x7C, (byte) 0xBC});
    Encodings.F8_E5M2.decode(others, 0, values, 0, 4);
    assertThat(values).containsExactly(57344f, 0x1p-16f, Float.POSITIVE_INFINITY, -1f);
  }

  @Test
  void eightBitFloatsRoundTiesToEvenAndStopAtTheLargest() {
    assertThat(throughBytes(Encodings.F8_E4M3, new float[] {1.0625f, 1.1875f, 1e9f, -500f}))
        .containsExactly(1f, 1.25f, 448f, -448f);
    assertThat(throughBytes(Encodings.F8_E4M3, new float[] {0x1p-10f, 0x1.8p-9f, -0f}))
        .containsExactly(0f, 0x1p-8f, -0f);
  }

  @Test
  void bfloat16RoundsTiesToEvenAndKeepsNaN() {
    var values =
        new float[] {
          Float.intBitsToFloat(0x3F80_8000),
          Float.intBitsToFloat(0x3F81_8000),
          Float.intBitsToFloat(0x7F80_0001)
        };

    assertThat(throughBytes(Encodings.BF16, values))
        .containsExactly(
            Float.intBitsToFloat(0x3F80_0000), Float.intBitsToFloat(0x3F82_0000), Float.NaN);
  }

  private static float[] throughBytes(Encoding encoding, float[] values) {
    var packed = MemorySegment.ofArray(new byte[(int) encoding.bytes(values.length)]);
    encoding.encode(values, 0, values.length, packed, 0);
    var decoded = new float[values.length];
    encoding.decode(packed, 0, decoded, 0, decoded.length);
    return decoded;
  }

  private static float[] gaussian(int count, long seed) {
    var random = new SplittableRandom(seed);
    var values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) random.nextGaussian(0, 0.04);
    }
    return values;
  }

  private static double relativeError(float[] expected, float[] met) {
    double error = 0;
    double power = 0;
    for (int i = 0; i < expected.length; i++) {
      error += Math.pow(expected[i] - (double) met[i], 2);
      power += Math.pow(expected[i], 2);
    }
    return Math.sqrt(error / power);
  }
}
