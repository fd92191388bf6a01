package weft.cuda.kernel;

import java.util.List;
import weft.cuda.ptx.PtxFunction;

/** What a row's experts said, added up by their weights: a thread an element. */
public record Mix(int used, int width, Strided result) {
  public static final int THREADS = 256;

  /** Parameters: the result, what they said, the weights, how many elements. */
  public PtxFunction kernel() {
    var code = new Code();
    code.add(
        """
            .reg .u32 %block, %index, %count, %row, %column, %use, %at, %rest, %axis, %bits;
            .reg .u64 %base, %cell, %weights, %said;
            .reg .b16 %half;
            .reg .f32 %sum, %a, %b;
            .reg .pred %outside;
            mov.u32 %block, %ctaid.x;
            mov.u32 %rest, %ntid.x;
            mov.u32 %index, %tid.x;
            mad.lo.u32 %index, %block, %rest, %index;
            ld.param.u32 %count, [count];
            setp.ge.u32 %outside, %index, %count;
            @%outside bra DONE;
            ld.param.u64 %weights, [weights];
            ld.param.u64 %said, [said];
            mov.f32 %sum, 0f00000000;
        """);
    code.add("    div.u32 %%row, %%index, %d;\n    rem.u32 %%column, %%index, %d;", width, width);
    code.add("    mul.lo.u32 %%use, %%row, %d;", used);
    for (int i = 0; i < used; i++) {
      code.add(
          "    mad.wide.u32 %%cell, %%use, 4, %%weights;\n    ld.global.f32 %%a, [%%cell+%d];",
          4 * i);
      code.add("    add.u32 %%at, %%use, %d;\n    mad.lo.u32 %%at, %%at, %d, %%column;", i, width);
      code.add("    mad.wide.u32 %cell, %at, 4, %said;\n    ld.global.f32 %b, [%cell];");
      code.add("    fma.rn.f32 %sum, %a, %b, %sum;");
    }
    code.offset(result, "%index", "%at", "%rest", "%axis");
    code.add("    ld.param.u64 %base, [result];");
    code.address("%base", "%at", result.dtype(), "%cell");
    code.store(result.dtype(), "%cell", "%sum");
    code.add("DONE:\n    ret;");
    return code.kernel(
        Code.name("mix", this), List.of("u64 result", "u64 said", "u64 weights", "u32 count"));
  }
}
