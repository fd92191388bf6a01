package weft.conformance;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import weft.quant.Encoding;
import weft.quant.Encodings;
import weft.quant.IQ3_S;

/** Packed numbers: a few blocks encoded, then dealt out at random, for encoders search long. */
final class Blocks {
  private static final int ENCODED = 8;

  private Blocks() {}

  /** Fills {@code to} with blocks of numbers like these, which are at least one block. */
  static void fill(Encoding encoding, float[] like, MemorySegment to, SplittableRandom random) {
    int count = Math.min(ENCODED, like.length / encoding.blockValues());
    int blockBytes = encoding.blockBytes();
    var deck = MemorySegment.ofArray(new byte[count * blockBytes]);
    for (int i = 0; i < count; i++) {
      int at = i * encoding.blockValues();
      if (encoding instanceof IQ3_S) makeUp(like, at, deck, (long) i * blockBytes, random);
      else encoding.encodeBlock(like, at, deck, (long) i * blockBytes);
    }
    for (long at = 0; at < to.byteSize(); at += blockBytes) {
      MemorySegment.copy(deck, (long) random.nextInt(count) * blockBytes, to, at, blockBytes);
    }
  }

  /** IQ3_S is only decoded: any bytes will do, under a scale of the right size. */
  private static void makeUp(
      float[] like, int at, MemorySegment to, long offset, SplittableRandom random) {
    var half = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < Encodings.IQ3_S.blockBytes(); i++) {
      to.set(ValueLayout.JAVA_BYTE, offset + i, (byte) random.nextInt());
    }
    to.set(half, offset, Float.floatToFloat16(1));
    var decoded = new float[Encodings.IQ3_S.blockValues()];
    Encodings.IQ3_S.decodeBlock(to, offset, decoded, 0);
    float scale = size(like, at, decoded.length) / size(decoded, 0, decoded.length);
    to.set(half, offset, Float.floatToFloat16(scale));
  }

  private static float size(float[] values, int at, int count) {
    double squares = 0;
    for (int i = at; i < at + count; i++) squares += (double) values[i] * values[i];
    return (float) Math.sqrt(squares / count);
  }
}
