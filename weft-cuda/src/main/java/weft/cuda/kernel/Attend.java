package weft.cuda.kernel;

import java.util.List;
import weft.backend.KvLayout;
import weft.backend.KvType;
import weft.cuda.ptx.PtxFunction;
import weft.ir.DType;
import weft.ir.Op;
import weft.ir.Slot;

/**
 * Attention of each row and head over the pages of its sequence, with an online softmax: a block a
 * row, a head and a share of the pages. Warps score positions, lanes having an element of the key
 * each; then threads have an element of the value each. Of several shares each leaves what {@link
 * Merge} joins.
 *
 * @param heads of queries
 * @param q rows of heads of float32, turned already
 * @param result rows of heads of float32; where there are several shares, not written to
 */
public record Attend(
    Slot.KeyValue slot,
    KvType type,
    int heads,
    Op.Scores scores,
    Strided q,
    Strided result,
    int partBytes,
    boolean shares) {
  public static final int THREADS = 128;

  public Attend {
    slot = KvCode.unnamed(slot);
  }

  private static final int WARPS = THREADS / 32;
  private static final float LOG2_E = (float) (1 / Math.log(2));

  private int valuesAThread() {
    return Math.ceilDiv(slot.valueDim(), THREADS);
  }

  /**
   * Parameters: the result or the shares, queries; per row its place, what it sees, its sequence.
   */
  public PtxFunction kernel() {
    var kv = KvCode.of(slot, type);
    if (AttendVector.takes(kv.layout())) {
      var kept = DType.valueOf(kv.layout().encoding().name());
      return new AttendVector(this, kept).kernel();
    }
    var code = new Code();
    code.add(
            """
                .reg .u32 %row, %head, %kvhead, %thread, %lane, %warp, %at, %e, %seen, %last, %oldest;
                .reg .u32 %pageno, %lastpage, %i, %from, %to, %share, %sharecount, %queries, %weights, %d;
                .reg .u64 %base, %keys, %one, %out;
                .reg .f32 %a, %b, %dot, %other, %score0, %score1, %greatest, %before, %keep, %sum, %total;
                .reg .pred %outside, %first, %none, %isold;
            """)
        .add("    .reg .f32 %%value<%d>;", valuesAThread())
        .add("    .shared .align 16 .b8 query[%d];", 4 * slot.keyDim())
        .add("    .shared .align 16 .b8 scores[%d];", 4 * KvLayout.POSITIONS)
        .add("    .shared .align 16 .b8 weights[%d];", 4 * KvLayout.POSITIONS)
        .add(KvCode.REGISTERS)
        .add(FnCode.REGISTERS);
    begin(code);
    query(code);
    for (int i = 0; i < valuesAThread(); i++) code.add("    mov.f32 %%value%d, 0f00000000;", i);
    pages(kv, code);
    finish(code, List.of());
    return named("attend", code);
  }

  PtxFunction named(String kind, Code code) {
    return code.kernel(
        Code.name(shares ? kind + "_share" : kind, this),
        List.of(
            "u64 result",
            "u64 q",
            "u64 places",
            "u64 starts",
            "u64 ends",
            "u64 parts",
            "u64 tables"));
  }

  void begin(Code code) {
    code.add(
        """
            mov.u32 %head, %ctaid.x;
            mov.u32 %row, %ctaid.y;
            mov.u32 %share, %ctaid.z;
            mov.u32 %sharecount, %nctaid.z;
            mov.u32 %thread, %tid.x;
            and.b32 %lane, %thread, 31;
            shr.u32 %warp, %thread, 5;
            ld.param.u64 %base, [places];
            mad.wide.u32 %one, %row, 4, %base;
            ld.global.u32 %seen, [%one];   // where in its sequence the row is
            ld.param.u64 %base, [ends];
            mad.wide.u32 %one, %row, 4, %base;
            ld.global.u32 %last, [%one];   // the last position that it sees
            mov.u32 %queries, query;
            mov.u32 %oldest, 0;
        """);
    if (slot.isWindowed()) {
      code.add("    setp.lt.u32 %%isold, %%seen, %d;", slot.window());
      code.add("    sub.u32 %%oldest, %%seen, %d;", slot.window() - 1);
      code.add(
          """
              selp.u32 %oldest, 0, %oldest, %isold;
              ld.param.u64 %base, [starts];
              mad.wide.u32 %one, %row, 4, %base;
              ld.global.u32 %at, [%one];
              min.u32 %oldest, %oldest, %at;   // those that it sees whatever its window
          """);
    }
    code.add("    div.u32 %%kvhead, %%head, %d;", heads / slot.heads());
    KvCode.table(partBytes, code);
    code.add("    shr.u32 %pageno, %oldest, 6;\n    shr.u32 %lastpage, %last, 6;");
    if (shares) {
      code.add(
          """
              sub.u32 %at, %lastpage, %pageno;
              add.u32 %at, %at, %sharecount;
              div.u32 %at, %at, %sharecount;   // pages a share
              mad.lo.u32 %pageno, %share, %at, %pageno;
              add.u32 %at, %pageno, %at;
              sub.u32 %at, %at, 1;
              min.u32 %lastpage, %lastpage, %at;
          """);
    }
  }

  /** The query, scaled, to where all warps find it. */
  void query(Code code) {
    code.add("    ld.param.u64 %base, [q];");
    code.add("    mul.lo.u32 %%at, %%row, %d;", q.strides().get(0));
    code.add("    mad.lo.u32 %%at, %%head, %d, %%at;", q.strides().get(1));
    code.add("    mad.wide.u32 %base, %at, 4, %base;\n    mov.u32 %e, %thread;\nQUERY:");
    code.add("    setp.ge.u32 %%outside, %%e, %d;", slot.keyDim());
    code.add("    @%outside bra QUERIED;");
    code.add("    mad.wide.u32 %%one, %%e, %d, %%base;", Float.BYTES * q.strides().getLast());
    code.add("    ld.global.f32 %a, [%one];");
    code.add("    mul.f32 %%a, %%a, %s;", Code.number(scores.scale()));
    code.add("    mad.lo.u32 %at, %e, 4, %queries;\n    st.shared.f32 [%at], %a;");
    code.add("    add.u32 %%e, %%e, %d;\n    bra QUERY;\nQUERIED:\n    bar.sync 0;", THREADS);
    code.add("    mov.f32 %greatest, 0fFF800000;\n    mov.f32 %total, 0f00000000;");
  }

  private void pages(KvCode kv, Code code) {
    code.add("PAGE:\n    setp.gt.u32 %outside, %pageno, %lastpage;\n    @%outside bra ATTENDED;");
    KvCode.page("%pageno", code);
    kv.keys("%kvhead", "%keys", code);
    // Positions of this page that the row sees, from and to.
    code.add(
        """
            shl.b32 %at, %pageno, 6;
            max.u32 %from, %oldest, %at;
            sub.u32 %from, %from, %at;
            sub.u32 %to, %last, %at;
            min.u32 %to, %to, 63;
            mov.u32 %weights, scores;
            mov.u32 %i, %warp;
        SCORE:
            setp.ge.u32 %outside, %i, 64;
            @%outside bra SCORED;
            mov.f32 %dot, 0fFF800000;
            setp.lt.u32 %none, %i, %from;
            @%none bra WRITTEN;
            setp.gt.u32 %none, %i, %to;
            @%none bra WRITTEN;
            mov.f32 %dot, 0f00000000;
            mov.u32 %e, %lane;
        """);
    code.add("    mad.wide.u32 %%one, %%i, %d, %%keys;", kv.layout().keyBytes());
    code.add("DOT:");
    code.add("    setp.ge.u32 %%outside, %%e, %d;", slot.keyDim());
    code.add("    @%outside bra DOTTED;");
    kv.load("%one", "%e", "%a", code);
    code.add("    mad.lo.u32 %at, %e, 4, %queries;\n    ld.shared.f32 %b, [%at];");
    code.add("    fma.rn.f32 %dot, %a, %b, %dot;\n    add.u32 %e, %e, 32;\n    bra DOT;\nDOTTED:");
    code.warpSum("%dot");
    capped(code);
    code.add(
        """
        WRITTEN:
            setp.eq.u32 %first, %lane, 0;
            mad.lo.u32 %at, %i, 4, %weights;
            @%first st.shared.f32 [%at], %dot;
        """);
    code.add("    add.u32 %%i, %%i, %d;\n    bra SCORE;\nSCORED:\n    bar.sync 0;", WARPS);
    softmax(code);
    weigh(kv, code);
    code.add("    add.u32 %pageno, %pageno, 1;\n    bra PAGE;\nATTENDED:");
  }

  /** The score within its cap. */
  void capped(Code code) {
    if (scores.softCap() <= 0) return;
    code.add("    mul.f32 %%dot, %%dot, %s;", Code.number(1 / scores.softCap()));
    FnCode.tanh("%dot", code);
    code.add("    mul.f32 %%dot, %%dot, %s;", Code.number(scores.softCap()));
  }

  /** Every warp finds the same: the weights of 64 positions, and what becomes of those before. */
  static void softmax(Code code) {
    code.add(
        """
            mad.lo.u32 %at, %lane, 4, %weights;
            ld.shared.f32 %score0, [%at];
            ld.shared.f32 %score1, [%at+128];
            max.f32 %a, %score0, %score1;
        """);
    code.warpMax("%a");
    code.add("    mov.f32 %before, %greatest;\n    max.f32 %greatest, %greatest, %a;");
    code.add("    sub.f32 %keep, %before, %greatest;");
    exponential("%keep", code);
    for (var score : List.of("%score0", "%score1")) {
      code.add("    sub.f32 %s, %s, %%greatest;", score, score);
      exponential(score, code);
    }
    code.add("    add.f32 %sum, %score0, %score1;");
    code.warpSum("%sum");
    code.add(
        """
            fma.rn.f32 %total, %total, %keep, %sum;
            mov.u32 %weights, weights;
            setp.ne.u32 %first, %warp, 0;
            @%first bra SHARED;
            mad.lo.u32 %at, %lane, 4, %weights;
            st.shared.f32 [%at], %score0;
            st.shared.f32 [%at+128], %score1;
        SHARED:
            bar.sync 0;
        """);
  }

  private static void exponential(String x, Code code) {
    code.add("    mul.f32 %s, %s, %s;", x, x, Code.number(LOG2_E));
    code.add("    ex2.approx.ftz.f32 %s, %s;", x, x);
  }

  private void weigh(KvCode kv, Code code) {
    for (int i = 0; i < valuesAThread(); i++) {
      code.add("    mul.f32 %%value%d, %%value%d, %%keep;", i, i);
    }
    kv.values("%kvhead", "%keys", code);
    code.add("    mov.u32 %i, %from;\nWEIGH:\n    setp.gt.u32 %outside, %i, %to;");
    code.add("    @%outside bra WEIGHED;");
    code.add("    mad.lo.u32 %at, %i, 4, %weights;\n    ld.shared.f32 %b, [%at];");
    code.add("    mad.wide.u32 %%one, %%i, %d, %%keys;", kv.layout().valueBytes());
    for (int i = 0; i < valuesAThread(); i++) {
      code.add("    add.u32 %%d, %%thread, %d;", i * THREADS);
      code.add("    setp.ge.u32 %%outside, %%d, %d;", slot.valueDim());
      code.add("    @%outside bra WEIGHTED;");
      kv.load("%one", "%d", "%a", code);
      code.add("    fma.rn.f32 %%value%d, %%a, %%b, %%value%d;", i, i);
    }
    code.add("WEIGHTED:\n    add.u32 %i, %i, 1;\n    bra WEIGH;\nWEIGHED:");
  }

  /**
   * Writes the row and head out.
   *
   * @param joined the register that has element {@code %d} of all; none where threads have theirs
   */
  void finish(Code code, List<String> joined) {
    code.add("    ld.param.u64 %out, [result];");
    if (shares) {
      code.add("    mad.lo.u32 %%at, %%row, %d, %%head;", heads);
      code.add("    mad.lo.u32 %at, %at, %sharecount, %share;");
      code.add("    mad.wide.u32 %%out, %%at, %d, %%out;", 4 * Merge.floats(slot.valueDim()));
      code.add("    setp.eq.u32 %first, %thread, 0;");
      code.add("    mul.f32 %%greatest, %%greatest, %s;", Code.number(LOG2_E));
      code.add("    @%first st.global.f32 [%out], %greatest;");
      code.add("    @%first st.global.f32 [%out+4], %total;");
      code.add("    add.u64 %out, %out, 8;");
    } else {
      code.add("    mul.lo.u32 %%at, %%row, %d;", result.strides().get(0));
      code.add("    mad.lo.u32 %%at, %%head, %d, %%at;", result.strides().get(1));
      code.add("    mad.wide.u32 %out, %at, 4, %out;\n    rcp.rn.f32 %keep, %total;");
    }
    int stride = shares ? 1 : result.strides().getLast();
    for (int i = 0; i < valuesAThread(); i++) {
      code.add("    add.u32 %%d, %%thread, %d;", i * THREADS);
      code.add("    setp.ge.u32 %%outside, %%d, %d;", slot.valueDim());
      code.add("    @%outside bra DONE;");
      if (!joined.isEmpty()) AttendVector.sum(slot.valueDim(), code);
      var value = joined.isEmpty() ? "%value" + i : joined.getFirst();
      if (!shares) code.add("    mul.f32 %s, %s, %%keep;", value, value);
      code.add("    mad.wide.u32 %%cell, %%d, %d, %%out;", 4 * stride);
      code.add("    st.global.f32 [%%cell], %s;", value);
    }
    code.add("DONE:\n    ret;");
  }
}
