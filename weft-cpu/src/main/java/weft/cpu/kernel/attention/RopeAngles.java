package weft.cpu.kernel.attention;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The angle that each row has for each pair that turns.
 *
 * @param cos a row of {@code pairs} floats a row
 * @param sin the same of sines
 * @param rowBytes from one row of them to the next
 * @param pairs pairs that turn; what is left of a head stays
 * @param scale what the turned part is multiplied by
 */
public record RopeAngles(
    MemorySegment cos, MemorySegment sin, long rowBytes, int pairs, float scale) {
  /** Where nothing turns. */
  public static final RopeAngles NONE =
      new RopeAngles(MemorySegment.NULL, MemorySegment.NULL, 0, 0, 1);

  static final int BYTES = 32;
  static final int COS = 0;
  static final int SIN = 8;
  static final int ROW_BYTES = 16;
  static final int PAIRS = 24;

  /** The same from a later row on. */
  public RopeAngles fromRow(int row) {
    long at = row * rowBytes;
    return new RopeAngles(cos.asSlice(at), sin.asSlice(at), rowBytes, pairs, scale);
  }

  void write(MemorySegment block, long at) {
    block.set(ADDRESS, at + COS, cos);
    block.set(ADDRESS, at + SIN, sin);
    block.set(JAVA_LONG, at + ROW_BYTES, rowBytes);
    block.set(JAVA_LONG, at + PAIRS, pairs);
  }
}
