package weft.cuda.kernel;

import java.util.List;
import weft.cuda.ptx.PtxFunction;

/**
 * Heads rotated by the positions of their rows: a thread an element.
 *
 * @param x rows of heads of float32
 */
public record Rope(Turning turning, Strided result, Strided x) {
  public static final int THREADS = 128;

  /** Parameters: the result, x, the frequencies, the positions, how many elements. */
  public PtxFunction kernel() {
    int width = x.sizes().getLast();
    int row = x.rowElements();
    var code = new Code();
    code.add(
            """
                .reg .u32 %block, %row, %index, %count, %at, %rest, %axis, %e, %bits;
                .reg .u64 %base, %place;
                .reg .b16 %half;
                .reg .f32 %a;
                .reg .pred %outside;
            """)
        .add(Turning.REGISTERS)
        .add(
            """
                mov.u32 %block, %ctaid.x;
                mov.u32 %rest, %ntid.x;
                mov.u32 %index, %tid.x;
                mad.lo.u32 %index, %block, %rest, %index;   // a thread an element
                ld.param.u32 %count, [count];
                setp.ge.u32 %outside, %index, %count;
                @%outside bra DONE;
            """);
    code.add("    div.u32 %%row, %%index, %d;", row);
    turning.begin(code);
    code.add("    rem.u32 %%e, %%index, %d;", width);
    code.add("    div.u32 %%block, %%index, %d;   // the head of all heads", width);
    code.offset(x.groups(), "%block", "%at", "%rest", "%axis");
    code.add("    ld.param.u64 %base, [x];");
    code.address("%base", "%at", x.dtype(), "%base");
    turning.element("%base", x.strides().getLast(), "%a", code);
    code.offset(result, "%index", "%at", "%rest", "%axis");
    code.add("    ld.param.u64 %base, [result];");
    code.address("%base", "%at", result.dtype(), "%place");
    code.store(result.dtype(), "%place", "%a");
    code.add("DONE:\n    ret;");
    return code.kernel(
        Code.name("rope", this),
        List.of("u64 result", "u64 x", "u64 frequencies", "u64 positions", "u32 count"));
  }
}
