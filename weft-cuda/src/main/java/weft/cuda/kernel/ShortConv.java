package weft.cuda.kernel;

import java.util.List;
import weft.cuda.ptx.PtxFunction;
import weft.ir.Slot;

/**
 * The convolution over time: a thread a channel and sequence, which has the past in registers and
 * goes through the rows.
 *
 * @param x rows of float32
 */
public record ShortConv(Slot.Conv slot, Strided result, Strided x, int partBytes) {
  public static final int THREADS = 128;

  public ShortConv {
    slot = new Slot.Conv("any", slot.taps(), slot.channels());
  }

  /** Parameters: the result, x, the weight; each sequence's rows and memory. */
  public PtxFunction kernel() {
    int taps = slot.taps();
    int channels = slot.channels();
    var code = new Code();
    code.add(
            """
                .reg .u32 %channel, %at, %row;
                .reg .u64 %w, %x, %y, %cell;
                .reg .f32 %now, %sum;
                .reg .pred %outside, %isnow;
            """)
        .add(PartCode.REGISTERS)
        .add("    .reg .f32 %%past<%d>, %%weight<%d>;", taps + 1, taps + 1)
        .add("    mov.u32 %channel, %ctaid.x;\n    mov.u32 %at, %tid.x;")
        .add("    mad.lo.u32 %%channel, %%channel, %d, %%at;", THREADS)
        .add("    setp.ge.u32 %%outside, %%channel, %d;\n    @%%outside bra DONE;", channels);
    PartCode.begin(partBytes, code);
    code.add("    ld.param.u64 %w, [weight];\n    ld.param.u64 %x, [x];");
    code.add("    ld.param.u64 %y, [result];");
    code.add("    mad.wide.u32 %%w, %%channel, %d, %%w;", 4 * (taps + 1));
    code.add("    mad.wide.u32 %%x, %%channel, %d, %%x;", 4 * x.strides().getLast());
    code.add("    mad.wide.u32 %%y, %%channel, %d, %%y;", 4 * result.strides().getLast());
    code.add("    mad.wide.u32 %state, %channel, 4, %state;");
    code.add("    mad.wide.u32 %kept, %channel, 4, %kept;");
    for (int t = 0; t <= taps; t++) code.add("    ld.global.f32 %%weight%d, [%%w+%d];", t, 4 * t);
    for (int t = 0; t < taps; t++) {
      code.add("    ld.global.f32 %%past%d, [%%state+%d];", t, 4 * t * channels);
    }
    code.add("ROW:\n    setp.ne.u32 %isnow, %turn, %draft;\n    @%isnow bra NOTDRAFT;");
    for (int t = 0; t < taps; t++) {
      code.add("    st.global.f32 [%%state+%d], %%past%d;", 4 * t * channels, t);
    }
    code.add("NOTDRAFT:\n    setp.ge.u32 %outside, %turn, %turns;\n    @%outside bra DONE;");
    code.add("    setp.ge.u32 %isnow, %turn, %pending;\n    @%isnow bra NOW;");
    code.add("    mad.wide.u32 %%cell, %%turn, %d, %%kept;", 4 * channels);
    code.add("    ld.global.f32 %now, [%cell];\n    bra SHIFT;\nNOW:");
    code.add("    sub.u32 %row, %turn, %pending;\n    add.u32 %row, %row, %firstrow;");
    code.add("    mad.wide.u32 %%cell, %%row, %d, %%x;", 4 * x.strides().getFirst());
    code.add("    ld.global.f32 %now, [%cell];");
    code.add("    mul.f32 %%sum, %%now, %%weight%d;", taps);
    for (int t = 0; t < taps; t++) {
      code.add("    fma.rn.f32 %%sum, %%past%d, %%weight%d, %%sum;", t, t);
    }
    code.add("    mad.wide.u32 %%cell, %%row, %d, %%y;", 4 * result.strides().getFirst());
    code.add("    st.global.f32 [%cell], %sum;");
    code.add("    setp.lt.u32 %isnow, %turn, %draft;\n    @%isnow bra SHIFT;");
    code.add("    sub.u32 %at, %turn, %draft;   // a row of the draft is kept");
    code.add("    mad.wide.u32 %%cell, %%at, %d, %%kept;", 4 * channels);
    code.add("    st.global.f32 [%cell], %now;\nSHIFT:");
    for (int t = 0; t + 1 < taps; t++) code.add("    mov.f32 %%past%d, %%past%d;", t, t + 1);
    if (taps > 0) code.add("    mov.f32 %%past%d, %%now;", taps - 1);
    code.add("    add.u32 %turn, %turn, 1;\n    bra ROW;\nDONE:\n    ret;");
    return code.kernel(
        Code.name("shortconv", this),
        List.of("u64 result", "u64 x", "u64 weight", "u64 parts", "u64 states"));
  }
}
