package weft.cuda.kernel;

import java.util.List;
import weft.cuda.ptx.PtxFunction;
import weft.ir.Routing;

/**
 * Which experts a row's scores choose and how they count: a warp a row, lanes having some of the
 * scores each.
 *
 * @param scores rows of float32
 */
public record Route(Routing routing, int experts, Strided scores) {
  /** A lane keeps one choice. */
  public static final int LANES = 32;

  private static final int NOBODY = -1;
  private static final float LOG2_E = (float) (1 / Math.log(2));

  public Route {
    if (routing.used() > LANES) {
      throw new IllegalArgumentException(
          "a row uses at most " + LANES + " experts here, got " + routing.used());
    }
  }

  private int mine() {
    return Math.ceilDiv(experts, 32);
  }

  /** Parameters: the chosen experts, their weights, the scores. */
  public PtxFunction kernel() {
    var code = new Code();
    code.add(
            """
                .reg .u32 %row, %lane, %at, %i, %best, %otherindex, %mine, %bit;
                .reg .u64 %base, %cell;
                .reg .f32 %greatest, %other, %sum, %value, %prob, %kept, %total;
                .reg .pred %outside, %isnumber, %isfree, %isgreater, %isequal, %islower;
            """)
        .add("    .reg .f32 %%s<%d>;\n    .reg .pred %%taken<%d>;", mine(), mine())
        .add(
            """
                mov.u32 %row, %ctaid.x;
                mov.u32 %lane, %tid.x;
                ld.param.u64 %base, [scores];
                mov.f32 %greatest, 0fFF800000;
                mov.f32 %sum, 0f00000000;
            """);
    code.add("    mul.lo.u32 %%at, %%row, %d;", scores.strides().getFirst());
    code.add("    mad.wide.u32 %base, %at, 4, %base;");
    int stride = 4 * scores.strides().getLast();
    for (int j = 0; j < mine(); j++) {
      code.add("    mov.f32 %%s%d, 0fFF800000;", j);
      code.add("    add.u32 %%at, %%lane, %d;", 32 * j);
      code.add("    setp.ge.u32 %%taken%d, %%at, %d;   // nobody's", j, experts);
      code.add("    mad.wide.u32 %%cell, %%at, %d, %%base;", stride);
      code.add("    @!%%taken%d ld.global.f32 %%s%d, [%%cell];", j, j);
      code.add("    setp.eq.f32 %%isnumber, %%s%d, %%s%d;", j, j);
      code.add("    selp.f32 %%s%d, %%s%d, 0fFF800000, %%isnumber;", j, j);
      code.add("    max.f32 %%greatest, %%greatest, %%s%d;", j);
    }
    code.warpMax("%greatest");
    if (routing.scoring() == Routing.Scoring.SOFTMAX) {
      for (int j = 0; j < mine(); j++) {
        code.add("    sub.f32 %%prob, %%s%d, %%greatest;", j);
        exponential(code);
        code.add("    add.f32 %sum, %sum, %prob;");
      }
      code.warpSum("%sum");
    }
    code.add("    mov.f32 %kept, 0f00000000;\n    mov.u32 %mine, 0;\n    mov.u32 %i, 0;\nCHOOSE:");
    best(code);
    probability(code);
    code.add("    setp.eq.u32 %outside, %lane, %i;   // lane i keeps choice i");
    code.add("    selp.f32 %kept, %prob, %kept, %outside;");
    code.add("    selp.u32 %mine, %best, %mine, %outside;\n    add.u32 %i, %i, 1;");
    code.add("    setp.lt.u32 %%outside, %%i, %d;\n    @%%outside bra CHOOSE;", routing.used());
    if (routing.weights() == Routing.Weights.RENORMALIZED) {
      code.add("    mov.f32 %total, %kept;");
      code.warpSum("%total");
      code.add("    div.rn.f32 %kept, %kept, %total;");
    }
    if (routing.scale() != 1)
      code.add("    mul.f32 %%kept, %%kept, %s;", Code.number(routing.scale()));
    code.add("    setp.ge.u32 %%outside, %%lane, %d;\n    @%%outside bra DONE;", routing.used());
    code.add("    mad.lo.u32 %%at, %%row, %d, %%lane;", routing.used());
    code.add("    ld.param.u64 %base, [experts];\n    mad.wide.u32 %cell, %at, 4, %base;");
    code.add("    st.global.u32 [%cell], %mine;");
    code.add("    ld.param.u64 %base, [weights];\n    mad.wide.u32 %cell, %at, 4, %base;");
    code.add("    st.global.f32 [%cell], %kept;\nDONE:\n    ret;");
    return code.kernel(
        Code.name("route", this), List.of("u64 experts", "u64 weights", "u64 scores"));
  }

  /** The greatest score that is free, the lowest expert among equals, in every lane; then taken. */
  private void best(Code code) {
    code.add("    mov.f32 %%value, 0fFF800000;\n    mov.u32 %%best, %d;", NOBODY);
    for (int j = 0; j < mine(); j++) {
      code.add("    add.u32 %%at, %%lane, %d;", 32 * j);
      code.add("    setp.gt.f32 %%isgreater, %%s%d, %%value;", j);
      code.add("    setp.eq.u32 %%isequal, %%best, %d;", NOBODY);
      code.add("    or.pred %isgreater, %isgreater, %isequal;");
      code.add("    not.pred %%isfree, %%taken%d;", j);
      code.add("    and.pred %isgreater, %isgreater, %isfree;");
      code.add("    selp.f32 %%value, %%s%d, %%value, %%isgreater;", j);
      code.add("    selp.u32 %best, %at, %best, %isgreater;");
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      code.add("    shfl.sync.bfly.b32 %%other, %%value, %d, 31, 0xffffffff;", distance);
      code.add("    shfl.sync.bfly.b32 %%otherindex, %%best, %d, 31, 0xffffffff;", distance);
      code.add("    setp.gt.f32 %isgreater, %other, %value;");
      code.add("    setp.eq.f32 %isequal, %other, %value;");
      code.add("    setp.lt.u32 %islower, %otherindex, %best;");
      code.add("    and.pred %isequal, %isequal, %islower;");
      code.add("    or.pred %isgreater, %isgreater, %isequal;");
      code.add("    selp.f32 %value, %other, %value, %isgreater;");
      code.add("    selp.u32 %best, %otherindex, %best, %isgreater;");
    }
    for (int j = 0; j < mine(); j++) {
      code.add("    add.u32 %%at, %%lane, %d;", 32 * j);
      code.add("    setp.eq.u32 %isequal, %at, %best;");
      code.add("    or.pred %%taken%d, %%taken%d, %%isequal;", j, j);
    }
  }

  private void probability(Code code) {
    switch (routing.scoring()) {
      case SOFTMAX -> {
        code.add("    sub.f32 %prob, %value, %greatest;");
        exponential(code);
        code.add("    div.rn.f32 %prob, %prob, %sum;");
      }
      case SIGMOID -> {
        code.add("    neg.f32 %prob, %value;");
        exponential(code);
        code.add("    add.f32 %prob, %prob, 0f3F800000;\n    rcp.rn.f32 %prob, %prob;");
      }
    }
  }

  private static void exponential(Code code) {
    code.add("    mul.f32 %%prob, %%prob, %s;", Code.number(LOG2_E));
    code.add("    ex2.approx.ftz.f32 %prob, %prob;");
  }
}
