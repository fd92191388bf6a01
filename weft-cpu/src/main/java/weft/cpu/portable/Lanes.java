package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The machine's float vector, and loads that widen packed numbers into it. */
public final class Lanes {
  static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  public static final int COUNT = FLOATS.length();

  private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

  /** As many bytes as there are floats; the smallest vector has 8 bytes. */
  private static final VectorSpecies<Byte> BYTES =
      VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, COUNT * 8)));

  private static final VectorSpecies<Short> SHORTS =
      VectorSpecies.of(short.class, VectorShape.forBitSize(Math.max(64, COUNT * 16)));

  /** 2^112: what turns a half's exponent, read as a float's, into its own. */
  private static final float HALF_TO_FLOAT = 0x1p112f;

  /** The first number that a half has no room for. */
  private static final float BEYOND_HALF = 0x1p16f;

  private static final int FLOAT_INFINITY = 0x7F80_0000;

  private Lanes() {}

  /** Whether a byte vector of one float vector's lanes exists (it does from 8 lanes on). */
  static boolean widensBytes() {
    return COUNT >= 8;
  }

  static FloatVector floats(MemorySegment from, long at) {
    return FloatVector.fromMemorySegment(FLOATS, from, at, LE);
  }

  static void store(FloatVector values, MemorySegment to, long at) {
    values.intoMemorySegment(to, at, LE);
  }

  static FloatVector floats(float[] from, int at) {
    return FloatVector.fromArray(FLOATS, from, at);
  }

  static FloatVector signedBytes(MemorySegment from, long at) {
    return (FloatVector)
        ByteVector.fromMemorySegment(BYTES, from, at, LE)
            .convertShape(VectorOperators.B2F, FLOATS, 0);
  }

  static FloatVector bfloats(MemorySegment from, long at) {
    var bits = unsignedShorts(from, at);
    return bits.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
  }

  /** Exact for every half: subnormals, infinities and what is no number included. */
  static FloatVector halves(MemorySegment from, long at) {
    var bits = unsignedShorts(from, at);
    var magnitude =
        bits.and(0x7FFF)
            .lanewise(VectorOperators.LSHL, 13)
            .reinterpretAsFloats()
            .mul(HALF_TO_FLOAT);
    // The largest exponent means no finite number, and so it must in the float.
    var isNotFinite = magnitude.compare(VectorOperators.GE, BEYOND_HALF);
    var sign = bits.and(0x8000).lanewise(VectorOperators.LSHL, 16);
    return magnitude
        .reinterpretAsInts()
        .lanewise(VectorOperators.OR, FLOAT_INFINITY, isNotFinite.cast(INTS))
        .or(sign)
        .reinterpretAsFloats();
  }

  private static IntVector unsignedShorts(MemorySegment from, long at) {
    return (IntVector)
        ShortVector.fromMemorySegment(SHORTS, from, at, LE)
            .convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0);
  }

  /** The low nibbles of as many bytes as there are lanes, less 8. */
  static FloatVector lowNibbles(MemorySegment from, long at) {
    return widened(ByteVector.fromMemorySegment(BYTES, from, at, LE).and((byte) 15));
  }

  static FloatVector highNibbles(MemorySegment from, long at) {
    return widened(
        ByteVector.fromMemorySegment(BYTES, from, at, LE)
            .lanewise(VectorOperators.LSHR, 4)
            .and((byte) 15));
  }

  private static FloatVector widened(ByteVector nibbles) {
    return (FloatVector)
        nibbles.convertShape(VectorOperators.B2F, FLOATS, 0).sub(FloatVector.broadcast(FLOATS, 8));
  }
}
