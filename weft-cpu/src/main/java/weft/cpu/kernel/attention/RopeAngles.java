package weft.cpu.kernel.attention;

import java.lang.foreign.MemorySegment;
import weft.cpu.kernel.emit.Layout;

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

  static final Layout<RopeAngles> LAYOUT = new Layout<>();
  static final int COS = LAYOUT.address(RopeAngles::cos);
  static final int SIN = LAYOUT.address(RopeAngles::sin);
  static final int ROW_BYTES = LAYOUT.number(RopeAngles::rowBytes);
  static final int PAIRS = LAYOUT.number(RopeAngles::pairs);

  /** The same from a later row on. */
  public RopeAngles fromRow(int row) {
    long at = row * rowBytes;
    return new RopeAngles(cos.asSlice(at), sin.asSlice(at), rowBytes, pairs, scale);
  }
}
