package weft.cuda.kernel;

import java.util.List;
import weft.ir.Op;

/**
 * How a head's elements are rotated by their position.
 *
 * @param pairs how many pairs of elements turn; the rest passes
 * @param sections how many positions a row has, each with a frequency for every pair
 */
public record Turning(int pairs, int sections, Op.Pairing pairing, float scale) {
  static final String REGISTERS =
      """
          .reg .u32 %pair, %mate, %twice;
          .reg .s32 %position;
          .reg .u64 %theta, %turnedby, %near, %far;
          .reg .f32 %angle, %frequency, %placed, %cos, %sin, %own, %others;
          .reg .f64 %turns, %whole;
          .reg .pred %passes, %second;
      """;

  /** Heads as they are. */
  public static final Turning NONE = new Turning(0, 1, Op.Pairing.HALVES, 1);

  /** Where the positions of row {@code %row} are; needs %base. */
  void begin(Code code) {
    code.add("    ld.param.u64 %turnedby, [positions];\n    ld.param.u64 %theta, [frequencies];");
    code.add("    mad.wide.u32 %%turnedby, %%row, %d, %%turnedby;", Integer.BYTES * sections);
  }

  private static final double TWO_PI = 2 * Math.PI;

  private static String number(double value) {
    return "0d%016X".formatted(Double.doubleToRawLongBits(value));
  }

  /**
   * Element {@code %e} of a head of floats at {@code base}, rotated by the positions at {@code
   * %turnedby}, in {@code to}; {@code %theta} has the frequencies.
   */
  void element(String base, int stride, String to, Code code) {
    int bytes = stride * Float.BYTES;
    code.add("    mad.wide.u32 %%near, %%e, %d, %s;", bytes, base);
    code.add("    ld.global.f32 %%own, [%%near];");
    code.add("    mov.f32 %s, %%own;", to);
    if (pairs == 0) return;
    code.add("    setp.ge.u32 %%passes, %%e, %d;", 2 * pairs);
    code.add("    @%passes bra TURNED;");
    pair(code);
    code.add("    mad.wide.u32 %%far, %%mate, %d, %s;", bytes, base);
    code.add("    ld.global.f32 %others, [%far];");
    angle("%cos", "%sin", code);
    // (x, y) becomes (x cos - y sin, y cos + x sin).
    code.add("    neg.f32 %angle, %sin;");
    code.add("    selp.f32 %sin, %sin, %angle, %second;");
    code.add("    mul.f32 %own, %own, %cos;");
    code.add("    fma.rn.f32 %s, %%others, %%sin, %%own;", to);
    code.add("TURNED:");
  }

  /** {@code %pair} of element {@code %e}, its partner, and whether it is the second of them. */
  void pair(Code code) {
    switch (pairing) {
      case HALVES -> {
        code.add("    setp.ge.u32 %%second, %%e, %d;", pairs);
        code.add("    sub.u32 %%mate, %%e, %d;", pairs);
        code.add("    selp.u32 %pair, %mate, %e, %second;   // which pair it is of");
        code.add("    add.u32 %%twice, %%e, %d;", pairs);
        code.add("    selp.u32 %mate, %mate, %twice, %second;   // its partner");
      }
      case NEIGHBOURS -> {
        code.add("    and.b32 %twice, %e, 1;");
        code.add("    setp.ne.u32 %second, %twice, 0;");
        code.add("    shr.u32 %pair, %e, 1;   // which pair it is of");
        code.add("    xor.b32 %mate, %e, 1;   // its partner");
      }
    }
  }

  /**
   * Cosine and sine of the position times the frequency of {@code %pair}, a float32 as frameworks
   * make it; what is over whole turns is left in double precision, for the device's functions are
   * near 0 alone.
   */
  void angle(String cos, String sin, Code code) {
    code.add("    mad.wide.u32 %far, %pair, 4, %theta;\n    mov.f32 %angle, 0f00000000;");
    for (int s = 0; s < sections; s++) {
      code.add("    ld.global.s32 %%position, [%%turnedby+%d];", Integer.BYTES * s);
      code.add("    ld.global.f32 %%frequency, [%%far+%d];", Float.BYTES * s * pairs);
      code.add("    cvt.rn.f32.s32 %placed, %position;");
      code.add("    mul.rn.f32 %frequency, %frequency, %placed;");
      code.add("    add.rn.f32 %angle, %angle, %frequency;");
    }
    code.add("    cvt.f64.f32 %turns, %angle;");
    code.add("    mul.f64 %%turns, %%turns, %s;", number(1 / TWO_PI));
    code.add("    cvt.rni.f64.f64 %whole, %turns;");
    code.add("    sub.f64 %turns, %turns, %whole;");
    code.add("    mul.f64 %%turns, %%turns, %s;", number(TWO_PI));
    code.add("    cvt.rn.f32.f64 %angle, %turns;");
    code.add("    cos.approx.f32 %s, %%angle;", cos);
    code.add("    sin.approx.f32 %s, %%angle;", sin);
    if (scale != 1) {
      for (var part : List.of(cos, sin)) {
        code.add("    mul.f32 %s, %s, %s;", part, part, Code.number(scale));
      }
    }
  }
}
