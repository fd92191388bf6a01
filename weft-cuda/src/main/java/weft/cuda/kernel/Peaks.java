package weft.cuda.kernel;

import java.util.List;
import weft.backend.HostRow;
import weft.cuda.ptx.PtxFunction;

/**
 * The greatest of each run of a row's neighbours, no number where one of them is not finite: a warp
 * a run.
 */
public record Peaks(int width) {
  public static final int THREADS = 128;
  public static final int RUNS_A_BLOCK = THREADS / 32;

  public int runs() {
    return Math.ceilDiv(width, HostRow.RUN);
  }

  /** Parameters: the peaks, the rows, from one row to the next in floats. */
  public PtxFunction kernel() {
    var code = new Code();
    code.add(
        """
            .reg .u32 %row, %run, %lane, %at, %stride, %thread;
            .reg .u64 %base, %cell;
            .reg .f32 %peak, %finite, %a, %other;
            .reg .pred %outside, %first;
            mov.u32 %row, %ctaid.y;
            mov.u32 %thread, %tid.x;
            and.b32 %lane, %thread, 31;
            shr.u32 %thread, %thread, 5;
            mov.u32 %run, %ctaid.x;
        """);
    code.add("    mad.lo.u32 %%run, %%run, %d, %%thread;", RUNS_A_BLOCK);
    code.add("    setp.ge.u32 %%outside, %%run, %d;\n    @%%outside bra DONE;", runs());
    code.add("    ld.param.u64 %base, [rows];\n    ld.param.u32 %stride, [stride];");
    code.add("    mul.wide.u32 %cell, %row, %stride;\n    shl.b64 %cell, %cell, 2;");
    code.add("    add.u64 %base, %base, %cell;");
    code.add("    mov.f32 %peak, 0fFF800000;\n    mov.f32 %finite, 0f00000000;");
    for (int half = 0; half < HostRow.RUN / 32; half++) {
      code.add("    mad.lo.u32 %%at, %%run, %d, %%lane;", HostRow.RUN);
      code.add("    add.u32 %%at, %%at, %d;", 32 * half);
      code.add("    setp.ge.u32 %%outside, %%at, %d;\n    @%%outside bra SEEN%d;", width, half);
      code.add("    mad.wide.u32 %cell, %at, 4, %base;\n    ld.global.f32 %a, [%cell];");
      code.add("    max.f32 %peak, %peak, %a;\n    sub.f32 %a, %a, %a;");
      code.add("    add.f32 %%finite, %%finite, %%a;   // no number unless finite\nSEEN%d:", half);
    }
    code.warpMax("%peak");
    code.warpSum("%finite");
    code.add("    add.f32 %peak, %peak, %finite;\n    setp.eq.u32 %first, %lane, 0;");
    code.add("    mad.lo.u32 %%at, %%row, %d, %%run;", runs());
    code.add("    ld.param.u64 %base, [peaks];\n    mad.wide.u32 %cell, %at, 4, %base;");
    code.add("    @%first st.global.f32 [%cell], %peak;\nDONE:\n    ret;");
    return code.kernel(Code.name("peaks", this), List.of("u64 peaks", "u64 rows", "u32 stride"));
  }
}
