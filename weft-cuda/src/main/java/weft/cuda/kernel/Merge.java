package weft.cuda.kernel;

import java.util.List;
import weft.cuda.ptx.PtxFunction;

/**
 * What the shares of {@link Attend} left, joined: a block a row and head, a thread an element.
 *
 * @param result rows of heads of float32
 */
public record Merge(int heads, int valueDim, Strided result) {
  public static final int THREADS = 128;

  private static final String TIMES_LOG2_E = Code.number((float) (1 / Math.log(2)));

  /** Parameters: the result, the shares, how many there are of each row and head. */
  public PtxFunction kernel() {
    var code = new Code();
    code.add(
        """
            .reg .u32 %row, %head, %d, %at, %i, %count;
            .reg .u64 %base, %share, %cell, %out;
            .reg .f32 %greatest, %own, %keep, %sum, %total, %value;
            .reg .pred %outside;
            mov.u32 %head, %ctaid.x;
            mov.u32 %row, %ctaid.y;
            mov.u32 %d, %tid.x;
            ld.param.u32 %count, [count];
            ld.param.u64 %base, [shares];
        """);
    code.add("    mad.lo.u32 %%at, %%row, %d, %%head;", heads);
    code.add("    mul.lo.u32 %at, %at, %count;");
    code.add("    mad.wide.u32 %%base, %%at, %d, %%base;", 4 * (2 + valueDim));
    code.add("    ld.param.u64 %out, [result];");
    code.add("    mul.lo.u32 %%at, %%row, %d;", result.strides().get(0));
    code.add("    mad.lo.u32 %%at, %%head, %d, %%at;", result.strides().get(1));
    code.add(
        """
            mad.wide.u32 %out, %at, 4, %out;
            mov.f32 %greatest, 0fFF800000;
            mov.u64 %share, %base;
            mov.u32 %i, 0;
        GREATEST:
            ld.global.f32 %own, [%share];
            max.f32 %greatest, %greatest, %own;
        """);
    code.add("    add.u64 %%share, %%share, %d;", 4 * (2 + valueDim));
    code.add(
        """
            add.u32 %i, %i, 1;
            setp.lt.u32 %outside, %i, %count;
            @%outside bra GREATEST;
        ELEMENT:
        """);
    code.add("    setp.ge.u32 %%outside, %%d, %d;", valueDim);
    code.add(
        """
            @%outside bra DONE;
            mov.f32 %sum, 0f00000000;
            mov.f32 %total, 0f00000000;
            mov.u64 %share, %base;
            mov.u32 %i, 0;
        SHARE:
            ld.global.f32 %own, [%share];
            sub.f32 %keep, %own, %greatest;
        """);
    code.add("    mul.f32 %%keep, %%keep, %s;", TIMES_LOG2_E);
    code.add(
        """
            ex2.approx.ftz.f32 %keep, %keep;   // what its weights are of the whole's
            ld.global.f32 %own, [%share+4];
            fma.rn.f32 %total, %own, %keep, %total;
            mad.wide.u32 %cell, %d, 4, %share;
            ld.global.f32 %value, [%cell+8];
            fma.rn.f32 %sum, %value, %keep, %sum;
        """);
    code.add("    add.u64 %%share, %%share, %d;", 4 * (2 + valueDim));
    code.add(
        """
            add.u32 %i, %i, 1;
            setp.lt.u32 %outside, %i, %count;
            @%outside bra SHARE;
            div.rn.f32 %sum, %sum, %total;
        """);
    code.add("    mad.wide.u32 %%cell, %%d, %d, %%out;", 4 * result.strides().getLast());
    code.add("    st.global.f32 [%cell], %sum;");
    code.add("    add.u32 %%d, %%d, %d;\n    bra ELEMENT;\nDONE:\n    ret;", THREADS);
    return code.kernel(Code.name("merge", this), List.of("u64 result", "u64 shares", "u32 count"));
  }
}
