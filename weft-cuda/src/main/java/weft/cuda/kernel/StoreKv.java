package weft.cuda.kernel;

import java.util.List;
import weft.backend.KvType;
import weft.cuda.ptx.PtxFunction;
import weft.ir.Op;
import weft.ir.Slot;

/**
 * Keys, rotated, and values of a step's rows put to where their sequences keep them, and queries,
 * rotated, to where attention reads them. A warp has some heads of a row that are all keys, all
 * queries or all values, its lanes every 32nd element of each: angles are found once for them, and
 * all that they read is on its way before the first is needed.
 *
 * @param q rows of heads of float32
 * @param turned the same behind each other
 * @param partBytes from one sequence's addresses to the next one's
 * @param most heads of a warp: one where there are few rows, for the sake of time, or {@link
 *     #SEVERAL}
 */
public record StoreKv(
    Slot.KeyValue slot,
    KvType type,
    Turning turning,
    Strided q,
    Strided turned,
    Strided k,
    Strided v,
    int partBytes,
    int most) {
  public static final int THREADS = 128;
  public static final int SEVERAL = 4;

  private static final int WARPS = THREADS / 32;

  /** Elements of a lane that registers hold, heads and all. */
  private static final int HELD = 16;

  public StoreKv {
    // The window is attention's matter.
    slot = new Slot.KeyValue("any", slot.heads(), slot.keyDim(), slot.valueDim(), Slot.UNBOUNDED);
  }

  /** Blocks of so many rows. */
  public int blocks(int rows) {
    return Math.ceilDiv(
        Math.multiplyExact(rows, keys().warps() + queries().warps() + values().warps()), WARPS);
  }

  /**
   * Heads of a kind.
   *
   * @param each of a warp
   */
  private record Heads(int count, int width, int each) {
    int warps() {
      return count / each;
    }

    /** Elements of a head that a lane has. */
    int elements() {
      return Math.ceilDiv(width, 32);
    }
  }

  private Heads heads(int count, int width) {
    int each = Math.min(most, Math.max(1, HELD / Math.ceilDiv(width, 32)));
    while (count % each != 0) each--;
    return new Heads(count, width, each);
  }

  private Heads keys() {
    return heads(slot.heads(), slot.keyDim());
  }

  private Heads queries() {
    return heads(q.sizes().getFirst(), slot.keyDim());
  }

  private Heads values() {
    return heads(slot.heads(), slot.valueDim());
  }

  /** Parameters: queries, those turned, keys, values, frequencies, rope positions; of rows. */
  public PtxFunction kernel() {
    var code = new Code();
    int held = Math.max(HELD, Math.max(keys().elements(), values().elements()));
    code.add(
            """
                .reg .u32 %row, %rows, %head, %unit, %lane, %at, %e, %seen, %pageno;
                .reg .u64 %base, %to, %from;
                .reg .f32 %a, %a8, %b8, %other;
                .reg .pred %outside, %first;
            """)
        .add("    .reg .f32 %%x<%d>, %%y<%d>, %%c<%d>, %%s<%d>;", held, held, held, held)
        .add(KvCode.REGISTERS)
        .add(Turning.REGISTERS)
        .add(
            """
                mov.u32 %unit, %ctaid.x;
                mov.u32 %at, %tid.x;
                and.b32 %lane, %at, 31;
                shr.u32 %at, %at, 5;
            """);
    code.add("    mad.lo.u32 %%unit, %%unit, %d, %%at;   // the warp of all", WARPS);
    int warps = keys().warps() + queries().warps() + values().warps();
    code.add("    div.u32 %%row, %%unit, %d;\n    mul.lo.u32 %%at, %%row, %d;", warps, warps);
    code.add("    sub.u32 %unit, %unit, %at;\n    ld.param.u32 %rows, [rows];");
    code.add("    setp.ge.u32 %outside, %row, %rows;\n    @%outside bra DONE;");
    turning.begin(code);
    code.add("    setp.ge.u32 %%outside, %%unit, %d;", keys().warps());
    code.add("    @%outside bra QUERY;");
    key(code);
    code.add("    bra DONE;\nQUERY:\n    sub.u32 %%unit, %%unit, %d;", keys().warps());
    code.add("    setp.ge.u32 %%outside, %%unit, %d;", queries().warps());
    code.add("    @%outside bra VALUE;");
    query(code);
    code.add("    bra DONE;\nVALUE:\n    sub.u32 %%unit, %%unit, %d;", queries().warps());
    value(code);
    code.add("DONE:\n    ret;");
    return code.kernel(
        Code.name("store", this),
        List.of(
            "u64 q",
            "u64 turned",
            "u64 k",
            "u64 v",
            "u64 frequencies",
            "u64 positions",
            "u64 places",
            "u64 parts",
            "u64 tables",
            "u32 rows"));
  }

  private void key(Code code) {
    var kv = KvCode.of(slot, type);
    angles(turning, code);
    page(code);
    code.awaitLast();
    load(keys(), k, "k", turning, code);
    turn(keys(), turning, code);
    kv.keys("%head", "%to", code);
    code.add("    mad.wide.u32 %%to, %%seen, %d, %%to;", kv.layout().keyBytes());
    keep(keys(), kv, kv.layout().keyHeadBytes(), "KEY", code);
  }

  private void value(Code code) {
    var kv = KvCode.of(slot, type);
    page(code);
    code.awaitLast();
    load(values(), v, "v", Turning.NONE, code);
    kv.values("%head", "%to", code);
    code.add("    mad.wide.u32 %%to, %%seen, %d, %%to;", kv.layout().valueBytes());
    keep(values(), kv, kv.layout().valueHeadBytes(), "KEPT", code);
  }

  private void query(Code code) {
    var heads = queries();
    angles(turning, code);
    code.awaitLast();
    load(heads, q, "q", turning, code);
    turn(heads, turning, code);
    part(turned, "turned", code);
    int stride = turned.strides().getLast();
    code.add("    mad.wide.u32 %%to, %%lane, %d, %%base;", Float.BYTES * stride);
    for (int j = 0; j < heads.elements(); j++) {
      boolean isWhole = 32 * (j + 1) <= heads.width;
      if (!isWhole) code.add("    setp.lt.u32 %%first, %%lane, %d;", heads.width - 32 * j);
      for (int i = 0; i < heads.each; i++) {
        int at = Float.BYTES * (i * turned.strides().get(1) + 32 * j * stride);
        var guard = isWhole ? "" : "@%first ";
        code.add("    %sst.global.f32 [%%to+%d], %%x%d;", guard, at, i * heads.elements() + j);
      }
    }
  }

  /** The page that the row goes to, {@code %seen} in it. */
  private void page(Code code) {
    code.add("    ld.param.u64 %to, [places];\n    mad.wide.u32 %to, %row, 4, %to;");
    code.add("    ld.global.u32 %seen, [%to];   // where in its sequence the row is");
    KvCode.table(partBytes, code);
    code.add("    shr.u32 %pageno, %seen, 6;\n    and.b32 %seen, %seen, 63;");
    KvCode.page("%pageno", code);
  }

  /** Where this row's heads of a value begin. */
  private static void part(Strided value, String parameter, Code code) {
    code.add("    ld.param.u64 %%base, [%s];", parameter);
    code.add("    mul.lo.u32 %%at, %%row, %d;", value.strides().get(0));
    code.add("    mad.lo.u32 %%at, %%head, %d, %%at;", value.strides().get(1));
    code.add("    mad.wide.u32 %base, %at, 4, %base;");
  }

  /** Whether both elements of every pair are the same lane's, half of all that turn apart. */
  private static boolean isOfOneLane(Turning turning) {
    return turning.pairing() == Op.Pairing.HALVES && turning.pairs() % 32 == 0;
  }

  /**
   * Has a lane's elements of all heads in {@code %x}; their partners, if others', in {@code %y}.
   */
  private static void load(
      Heads heads, Strided from, String parameter, Turning turning, Code code) {
    code.add("    mul.lo.u32 %%head, %%unit, %d;", heads.each);
    part(from, parameter, code);
    int stride = Float.BYTES * from.strides().getLast();
    for (int j = 0; j < heads.elements(); j++) {
      element(j, heads.width, code);
      code.add("    mad.wide.u32 %%near, %%e, %d, %%base;", stride);
      each(heads, from, j, "%x", "%near", code);
      if (32 * j >= 2 * turning.pairs() || isOfOneLane(turning)) continue;
      element(j, 2 * turning.pairs(), code);
      turning.pair(code);
      code.add("    mad.wide.u32 %%far, %%mate, %d, %%base;", stride);
      each(heads, from, j, "%y", "%far", code);
    }
  }

  private static void each(Heads heads, Strided from, int j, String to, String address, Code code) {
    for (int i = 0; i < heads.each; i++) {
      int beyond = Float.BYTES * i * from.strides().get(1);
      var register = to + (i * heads.elements() + j);
      code.add("    ld.global.f32 %s, [%s+%d];", register, address, beyond);
    }
  }

  /** {@code %e} is the lane's j-th element, the last one where it has none. */
  private static void element(int j, int width, Code code) {
    code.add("    add.u32 %%e, %%lane, %d;", 32 * j);
    if (32 * (j + 1) > width) code.add("    min.u32 %%e, %%e, %d;", width - 1);
  }

  /** Cosines and sines of the lane's elements, which are of the step's lists alone. */
  private static void angles(Turning turning, Code code) {
    int inPairs = 2 * turning.pairs();
    boolean isOfOneLane = isOfOneLane(turning);
    int apart = turning.pairs() / 32;
    for (int j = 0; 32 * j < inPairs; j++) {
      if (isOfOneLane) {
        if (j >= apart) break;
        code.add("    add.u32 %%pair, %%lane, %d;", 32 * j);
        turning.angle("%c" + j, "%s" + j, code);
      } else {
        element(j, inPairs, code);
        turning.pair(code);
        turning.angle("%c" + j, "%sin", code);
        code.add("    neg.f32 %angle, %sin;");
        code.add("    selp.f32 %%s%d, %%sin, %%angle, %%second;", j);
      }
    }
  }

  /** Rotates: (x, y) becomes (x cos - y sin, y cos + x sin). */
  private static void turn(Heads heads, Turning turning, Code code) {
    int inPairs = 2 * turning.pairs();
    boolean isOfOneLane = isOfOneLane(turning);
    int apart = turning.pairs() / 32;
    for (int i = 0; i < heads.each; i++) {
      int first = i * heads.elements();
      for (int j = 0; 32 * j < inPairs; j++) {
        if (isOfOneLane) {
          if (j < apart) both("%x" + (first + j), "%x" + (first + j + apart), j, code);
        } else {
          one(first + j, j, inPairs, code);
        }
      }
    }
  }

  /** Both elements of a pair. */
  private static void both(String x, String y, int j, Code code) {
    code.add("    mul.f32 %%a, %s, %%c%d;\n    neg.f32 %%other, %%s%d;", x, j, j);
    code.add("    fma.rn.f32 %%a, %s, %%other, %%a;", y);
    code.add("    mul.f32 %s, %s, %%c%d;", y, y, j);
    code.add("    fma.rn.f32 %s, %s, %%s%d, %s;\n    mov.f32 %s, %%a;", y, x, j, y, x);
  }

  /** An element whose partner is elsewhere; those behind the last that turns stay. */
  private static void one(int number, int j, int inPairs, Code code) {
    code.add("    mul.f32 %%a, %%x%d, %%c%d;", number, j);
    code.add("    fma.rn.f32 %%a, %%y%d, %%s%d, %%a;", number, j);
    if (32 * (j + 1) <= inPairs) {
      code.add("    mov.f32 %%x%d, %%a;", number);
    } else {
      code.add("    setp.lt.u32 %%passes, %%lane, %d;", inPairs - 32 * j);
      code.add("    selp.f32 %%x%d, %%a, %%x%d, %%passes;", number, number);
    }
  }

  /** Stores the lane's elements of all heads, the first of them at {@code %to}. */
  private static void keep(Heads heads, KvCode kv, long headBytes, String label, Code code) {
    for (int j = 0; j < heads.elements(); j++) {
      code.add("    add.u32 %%e, %%lane, %d;", 32 * j);
      boolean isWhole = 32 * (j + 1) <= heads.width;
      if (!isWhole) {
        code.add("    setp.ge.u32 %%first, %%e, %d;\n    @%%first bra %s;", heads.width, label);
      }
      for (int i = 0; i < heads.each; i++) {
        code.add("    add.u64 %%from, %%to, %d;", i * headBytes);
        kv.store("%from", "%e", "%x" + (i * heads.elements() + j), code);
      }
    }
    code.add("%s:", label);
  }
}
