package weft.cuda.product;

import java.util.Optional;
import weft.quant.BF16;
import weft.quant.Encoding;
import weft.quant.F16;
import weft.quant.F32;
import weft.quant.F64;
import weft.quant.F8_E4M3;
import weft.quant.F8_E5M2;
import weft.quant.IQ3_S;
import weft.quant.IQ4_NL;
import weft.quant.IQ4_XS;
import weft.quant.MXFP4;
import weft.quant.Q2_K;
import weft.quant.Q3_K;
import weft.quant.Q4_0;
import weft.quant.Q4_1;
import weft.quant.Q4_K;
import weft.quant.Q5_0;
import weft.quant.Q5_1;
import weft.quant.Q5_K;
import weft.quant.Q6_K;
import weft.quant.Q8_0;
import weft.quant.TQ1_0;
import weft.quant.TQ2_0;

/**
 * How the device keeps a run of 32 packed values: numbers of some bits, more bits apart from them,
 * and scales apart from both. A value is {@code scale · (number − zero) − minimum}, or {@code scale
 * · level} where numbers name levels of a table.
 *
 * @param levels of the table, or none
 */
record PackedForm(Numbers numbers, Above above, Scales scales, int zero, byte[] levels) {
  /** Values under one or two scales that a lane takes at once. */
  static final int RUN = 32;

  /** Runs that share a head in the formats of 256 values. */
  static final int RUNS_A_BLOCK = 8;

  /** The bits of a number that lie together, by the bytes that a run has of them. */
  enum Numbers {
    /** Signed bytes: the first 16 of all runs of a row, then the others of all. */
    BYTES(32),
    /** Byte i of 16 has value i below and value 16 + i above. */
    NIBBLES(16),
    /** Nibble i is value i, the name of a level. */
    LEVELS(16),
    /** Of byte b of a half, bits 2j and 2j + 1 are value 4j + b of 16. */
    TWOS(8);

    private final int bytes;

    Numbers(int bytes) {
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }
  }

  /** The bits above those. */
  enum Above {
    NONE(0),
    /** Bit j of byte b belongs to value 4j + b. */
    ONE(4),
    /** As {@link Numbers#TWOS}. */
    TWO(8);

    private final int bytes;

    Above(int bytes) {
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }
  }

  /** What numbers are multiplied by, by the bytes that a run and a block of eight runs have. */
  enum Scales {
    /** A half a run. */
    HALF(2, 0),
    /** A half and what is added to the product, another half. */
    HALF_AND_OFFSET(4, 0),
    /** A byte: the exponent of a power of two with bias 128. */
    EXPONENT(1, 0),
    /** A signed byte a run, times the block's half. */
    BYTE(1, 2),
    /** A signed byte for each 16 values, times the block's half. */
    TWO_BYTES(2, 2),
    /** A byte for each 16 values, scale below and minimum above, times the block's two halves. */
    TWO_PAIRS(2, 4),
    /**
     * 16 bytes a block: two halves, a byte a run with the lower bits of scale and minimum, a nibble
     * a run with their upper two.
     */
    SIX_BIT_PAIRS(0, 16);

    private final int bytesARun;
    private final int bytesABlock;

    Scales(int bytesARun, int bytesABlock) {
      this.bytesARun = bytesARun;
      this.bytesABlock = bytesABlock;
    }

    int bytesARun() {
      return bytesARun;
    }

    int bytesABlock() {
      return bytesABlock;
    }

    /** Whether each 16 values have a scale of their own. */
    boolean isInHalves() {
      return this == TWO_BYTES || this == TWO_PAIRS;
    }

    boolean hasMinimum() {
      return this == HALF_AND_OFFSET || this == TWO_PAIRS || this == SIX_BIT_PAIRS;
    }
  }

  private static final byte[] NO_LEVELS = {};

  private static final byte[] NON_LINEAR = {
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
  };

  /** The sixteen four-bit floats, doubled to be whole. */
  private static final byte[] FOUR_BIT_FLOATS = {
    0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12
  };

  /** IQ3_S's magnitudes, and the same with a sign. */
  private static final byte[] ODD = {1, 3, 5, 7, 9, 11, 13, 15, -1, -3, -5, -7, -9, -11, -13, -15};

  private PackedForm(Numbers numbers, Above above, Scales scales, int zero) {
    this(numbers, above, scales, zero, NO_LEVELS);
  }

  private PackedForm(byte[] levels, Scales scales) {
    this(Numbers.LEVELS, Above.NONE, scales, 0, levels);
  }

  /** The form of an encoding; floats have none. */
  static Optional<PackedForm> of(Encoding encoding) {
    return switch (encoding) {
      case F32 _, F16 _, BF16 _, F64 _, F8_E4M3 _, F8_E5M2 _ -> Optional.empty();
      case Q8_0 _ -> Optional.of(new PackedForm(Numbers.BYTES, Above.NONE, Scales.HALF, 0));
      case Q4_0 _ -> Optional.of(new PackedForm(Numbers.NIBBLES, Above.NONE, Scales.HALF, 8));
      case Q5_0 _ -> Optional.of(new PackedForm(Numbers.NIBBLES, Above.ONE, Scales.HALF, 16));
      case Q4_1 _ ->
          Optional.of(new PackedForm(Numbers.NIBBLES, Above.NONE, Scales.HALF_AND_OFFSET, 0));
      case Q5_1 _ ->
          Optional.of(new PackedForm(Numbers.NIBBLES, Above.ONE, Scales.HALF_AND_OFFSET, 0));
      case Q2_K _ -> Optional.of(new PackedForm(Numbers.TWOS, Above.NONE, Scales.TWO_PAIRS, 0));
      case Q3_K _ -> Optional.of(new PackedForm(Numbers.TWOS, Above.ONE, Scales.TWO_BYTES, 4));
      case Q4_K _ ->
          Optional.of(new PackedForm(Numbers.NIBBLES, Above.NONE, Scales.SIX_BIT_PAIRS, 0));
      case Q5_K _ ->
          Optional.of(new PackedForm(Numbers.NIBBLES, Above.ONE, Scales.SIX_BIT_PAIRS, 0));
      case Q6_K _ -> Optional.of(new PackedForm(Numbers.NIBBLES, Above.TWO, Scales.TWO_BYTES, 32));
      case TQ1_0 _, TQ2_0 _ ->
          Optional.of(new PackedForm(Numbers.TWOS, Above.NONE, Scales.HALF, 1));
      case IQ4_NL _ -> Optional.of(new PackedForm(NON_LINEAR, Scales.HALF));
      case IQ4_XS _ -> Optional.of(new PackedForm(NON_LINEAR, Scales.BYTE));
      case IQ3_S _ -> Optional.of(new PackedForm(ODD, Scales.BYTE));
      case MXFP4 _ -> Optional.of(new PackedForm(FOUR_BIT_FLOATS, Scales.EXPONENT));
    };
  }

  /** Whether the bytes that {@link RunCode} makes of numbers have a sign. */
  boolean isSigned() {
    return numbers == Numbers.BYTES || numbers == Numbers.LEVELS;
  }

  /** Whether something is taken from the product, be it a zero or a minimum. */
  boolean hasMinimum() {
    return zero != 0 || scales.hasMinimum();
  }
}
