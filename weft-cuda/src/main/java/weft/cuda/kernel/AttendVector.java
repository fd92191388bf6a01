package weft.cuda.kernel;

import java.util.List;
import weft.backend.KvLayout;
import weft.cuda.ptx.PtxFunction;
import weft.ir.DType;

/**
 * {@link Attend} for heads of whole vectors of 16 bytes: lanes side by side have a vector of a key
 * each, so that a page's keys are on their way at once, and then a vector of a value each, added up
 * over positions by threads and over threads at the end.
 */
record AttendVector(Attend attend, DType kept) {
  private static final int VECTOR_BYTES = 16;
  private static final int WARP = 32;
  private static final int POSITIONS = KvLayout.POSITIONS;

  /** Whether heads can be read so: a power of two of lanes a head, at most a warp. */
  static boolean takes(KvLayout layout) {
    return switch (layout.encoding().name()) {
      case "F32", "F16" -> areLanes(layout.keyBytes()) && areLanes(layout.valueBytes());
      default -> false;
    };
  }

  private static boolean areLanes(long bytes) {
    long lanes = bytes / VECTOR_BYTES;
    return bytes % VECTOR_BYTES == 0 && lanes >= 2 && lanes <= WARP && Long.bitCount(lanes) == 1;
  }

  private int elements() {
    return VECTOR_BYTES / kept.bytes();
  }

  private int keyLanes() {
    return attend.slot().keyDim() / elements();
  }

  private int valueLanes() {
    return attend.slot().valueDim() / elements();
  }

  PtxFunction kernel() {
    var layout = KvCode.of(attend.slot(), attend.type());
    var slot = attend.slot();
    var code = new Code();
    int loads = Math.max(keyLanes(), valueLanes()) / 2;
    code.add(
            """
                .reg .u32 %row, %head, %kvhead, %thread, %lane, %warp, %at, %e, %seen, %last, %oldest;
                .reg .u32 %pageno, %lastpage, %i, %from, %to, %share, %sharecount, %queries, %weights, %d;
                .reg .u32 %keylane, %keygroup, %valuelane, %valuegroup, %upper;
                .reg .u64 %base, %keys, %one, %out;
                .reg .f32 %a, %b, %dot, %other, %score0, %score1, %greatest, %before, %keep, %sum, %total;
                .reg .pred %outside, %first, %none, %isold, %isearly, %islate;
            """)
        .add("    .reg .f32 %%q<%d>, %%value<%d>;", elements(), elements())
        .add("    .reg .b32 %%v<%d>;\n    .reg .pred %%sees<%d>;", 4 * loads, loads)
        .add("    .shared .align 16 .b8 query[%d];", Float.BYTES * slot.keyDim())
        .add("    .shared .align 16 .b8 scores[%d];", Float.BYTES * POSITIONS)
        .add("    .shared .align 16 .b8 weights[%d];", Float.BYTES * POSITIONS)
        .add("    .shared .align 16 .b8 joined[%d];", 4 * Float.BYTES * slot.valueDim())
        .add(KvCode.REGISTERS)
        .add(FnCode.REGISTERS);
    attend.begin(code);
    attend.query(code);
    begin(code);
    code.add("PAGE:\n    setp.gt.u32 %outside, %pageno, %lastpage;\n    @%outside bra ATTENDED;");
    KvCode.page("%pageno", code);
    scores(layout, code);
    Attend.softmax(code);
    weigh(layout, code);
    code.add("    add.u32 %pageno, %pageno, 1;\n    bra PAGE;\nATTENDED:");
    join(code);
    attend.finish(code, List.of("%sum"));
    return attend.named("attend_vector", code);
  }

  /** Which vectors are this thread's, and its part of the query. */
  private void begin(Code code) {
    code.add("    and.b32 %%keylane, %%thread, %d;", keyLanes() - 1);
    code.add("    div.u32 %%keygroup, %%thread, %d;", keyLanes());
    code.add("    and.b32 %%valuelane, %%thread, %d;", valueLanes() - 1);
    code.add("    div.u32 %%valuegroup, %%thread, %d;", valueLanes());
    code.add("    mad.lo.u32 %%at, %%keylane, %d, %%queries;", Float.BYTES * elements());
    for (int i = 0; i < elements(); i++) {
      code.add("    ld.shared.f32 %%q%d, [%%at+%d];", i, Float.BYTES * i);
      code.add("    mov.f32 %%value%d, 0f00000000;", i);
    }
  }

  /**
   * Vectors of the positions of a page that the row sees, all on their way before one is looked at:
   * a group of lanes a position.
   */
  private void load(String lane, String group, int lanes, long rowBytes, Code code) {
    int groups = Attend.THREADS / lanes;
    code.add("    mad.wide.u32 %%one, %s, %d, %%keys;", group, rowBytes);
    code.add("    mad.wide.u32 %%one, %s, %d, %%one;", lane, VECTOR_BYTES);
    for (int it = 0; it < POSITIONS / groups; it++) {
      code.add("    add.u32 %%i, %s, %d;", group, it * groups);
      code.add("    setp.ge.u32 %isearly, %i, %from;\n    setp.le.u32 %islate, %i, %to;");
      code.add("    and.pred %%sees%d, %%isearly, %%islate;", it);
      for (int word = 0; word < 4; word++) code.add("    mov.b32 %%v%d, 0;", 4 * it + word);
      code.add(
          "    @%%sees%d ld.global.v4.b32 {%%v%d, %%v%d, %%v%d, %%v%d}, [%%one+%d];",
          it, 4 * it, 4 * it + 1, 4 * it + 2, 4 * it + 3, it * groups * rowBytes);
    }
  }

  /** Elements of a vector as floats, each given to a line that takes %a. */
  private void each(int vector, java.util.function.IntFunction<String> use, Code code) {
    for (int word = 0; word < 4; word++) {
      int register = 4 * vector + word;
      if (kept == DType.F32) {
        code.add("    mov.b32 %%a, %%v%d;", register);
        code.add(use.apply(word));
        continue;
      }
      code.add("    cvt.u16.u32 %%half, %%v%d;\n    cvt.f32.f16 %%a, %%half;", register);
      code.add(use.apply(2 * word));
      code.add("    shr.u32 %%upper, %%v%d, 16;\n    cvt.u16.u32 %%half, %%upper;", register);
      code.add("    cvt.f32.f16 %a, %half;");
      code.add(use.apply(2 * word + 1));
    }
  }

  private void scores(KvCode layout, Code code) {
    layout.keys("%kvhead", "%keys", code);
    code.add(
        """
            shl.b32 %at, %pageno, 6;
            max.u32 %from, %oldest, %at;
            sub.u32 %from, %from, %at;   // positions of this page that the row sees, from and to
            sub.u32 %to, %last, %at;
            min.u32 %to, %to, 63;
            mov.u32 %weights, scores;
            setp.eq.u32 %first, %keylane, 0;
        """);
    load("%keylane", "%keygroup", keyLanes(), layout.layout().keyBytes(), code);
    int groups = Attend.THREADS / keyLanes();
    for (int it = 0; it < POSITIONS / groups; it++) {
      code.add("    mov.f32 %dot, 0f00000000;");
      each(it, i -> "    fma.rn.f32 %%dot, %%a, %%q%d, %%dot;".formatted(i), code);
      for (int distance = keyLanes() / 2; distance > 0; distance /= 2) {
        code.add("    shfl.sync.bfly.b32 %%other, %%dot, %d, 31, 0xffffffff;", distance);
        code.add("    add.f32 %dot, %dot, %other;");
      }
      attend.capped(code);
      code.add("    selp.f32 %%dot, %%dot, 0fFF800000, %%sees%d;", it);
      code.add(
          "    add.u32 %%i, %%keygroup, %d;\n    mad.lo.u32 %%at, %%i, 4, %%weights;", it * groups);
      code.add("    @%first st.shared.f32 [%at], %dot;");
    }
    code.add("    bar.sync 0;");
  }

  private void weigh(KvCode layout, Code code) {
    for (int i = 0; i < elements(); i++) {
      code.add("    mul.f32 %%value%d, %%value%d, %%keep;", i, i);
    }
    layout.values("%kvhead", "%keys", code);
    load("%valuelane", "%valuegroup", valueLanes(), layout.layout().valueBytes(), code);
    int groups = Attend.THREADS / valueLanes();
    for (int it = 0; it < POSITIONS / groups; it++) {
      code.add(
          "    add.u32 %%i, %%valuegroup, %d;\n    mad.lo.u32 %%at, %%i, 4, %%weights;",
          it * groups);
      code.add("    ld.shared.f32 %b, [%at];");
      each(it, i -> "    fma.rn.f32 %%value%d, %%a, %%b, %%value%d;".formatted(i, i), code);
    }
  }

  /** Adds up over the threads that have the same vector; element %d of all in %sum. */
  private void join(Code code) {
    for (int i = 0; i < elements(); i++) {
      for (int distance = valueLanes(); distance < WARP; distance *= 2) {
        code.add("    shfl.sync.bfly.b32 %%other, %%value%d, %d, 31, 0xffffffff;", i, distance);
        code.add("    add.f32 %%value%d, %%value%d, %%other;", i, i);
      }
    }
    int bytes = Float.BYTES * attend.slot().valueDim();
    code.add("    mov.u32 %%weights, joined;\n    mad.lo.u32 %%at, %%warp, %d, %%weights;", bytes);
    code.add("    mad.lo.u32 %%at, %%valuelane, %d, %%at;", Float.BYTES * elements());
    code.add("    setp.lt.u32 %%first, %%lane, %d;", valueLanes());
    for (int i = 0; i < elements(); i++) {
      code.add("    @%%first st.shared.f32 [%%at+%d], %%value%d;", Float.BYTES * i, i);
    }
    code.add("    bar.sync 0;");
  }

  /** Lines that make {@code %sum} the whole of element {@code %d}. */
  static void sum(int valueDim, Code code) {
    code.add("    mad.lo.u32 %at, %d, 4, %weights;\n    mov.f32 %sum, 0f00000000;");
    for (int warp = 0; warp < 4; warp++) {
      code.add("    ld.shared.f32 %%a, [%%at+%d];", Float.BYTES * warp * valueDim);
      code.add("    add.f32 %sum, %sum, %a;");
    }
  }
}
