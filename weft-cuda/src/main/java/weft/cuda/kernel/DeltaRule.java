package weft.cuda.kernel;

import java.util.List;
import weft.backend.KeptRows;
import weft.cuda.ptx.PtxFunction;
import weft.ir.Op;
import weft.ir.Slot;

/**
 * The gated delta rule: a block a head and sequence, a thread a column of the matrix, which has it
 * in registers and goes through the rows. Keys and queries of a row are in shared memory meanwhile.
 *
 * @param q rows of heads of float32, as k and v; decay and beta rows of a number a head
 */
public record DeltaRule(
    Slot.Delta slot,
    int keyHeads,
    Op.Grouping grouping,
    Strided result,
    Strided q,
    Strided k,
    Strided v,
    Strided decay,
    Strided beta,
    int partBytes) {
  public DeltaRule {
    slot = new Slot.Delta("any", slot.heads(), slot.keyDim(), slot.valueDim());
  }

  public int threads() {
    return 32 * Math.ceilDiv(Math.max(slot.valueDim(), 1), 32);
  }

  /** Parameters: the result, q, k, v, decay, beta; each sequence's rows and memory. */
  public PtxFunction kernel() {
    int keyDim = slot.keyDim();
    var code = new Code();
    code.add(
            """
                .reg .u32 %head, %keyhead, %d, %at, %row, %e, %keys, %queries, %column;
                .reg .u64 %base, %cell, %keptrow, %rowk, %rowq, %rowv, %out;
                .reg .f32 %a, %decay, %beta, %value, %known, %change, %sum, %key, %query;
                .reg .pred %outside, %iskept, %isnow, %isdraft;
            """)
        .add(PartCode.REGISTERS)
        .add("    .reg .f32 %%s<%d>;", keyDim)
        .add("    .shared .align 16 .b8 keys[%d];", 4 * keyDim)
        .add("    .shared .align 16 .b8 queries[%d];", 4 * keyDim)
        .add("    mov.u32 %head, %ctaid.x;\n    mov.u32 %d, %tid.x;")
        .add("    mov.u32 %keys, keys;\n    mov.u32 %queries, queries;");
    code.add(
        grouping == Op.Grouping.BLOCKED
            ? "    div.u32 %%keyhead, %%head, %d;".formatted(slot.heads() / keyHeads)
            : "    rem.u32 %%keyhead, %%head, %d;".formatted(keyHeads));
    PartCode.begin(partBytes, code);
    // Threads beyond the last column do its work again, and leave the writing to it.
    code.add("    min.u32 %%column, %%d, %d;", slot.valueDim() - 1);
    code.add("    mad.wide.u32 %%state, %%head, %d, %%state;", 4 * keyDim * slot.valueDim());
    code.add("    mad.wide.u32 %state, %column, 4, %state;");
    for (int j = 0; j < keyDim; j++) {
      code.add("    ld.global.f32 %%s%d, [%%state+%d];", j, 4 * j * slot.valueDim());
    }
    code.add("ROW:\n    setp.ne.u32 %isnow, %turn, %draft;\n    @%isnow bra NOTDRAFT;");
    code.add("    setp.ge.u32 %%outside, %%d, %d;", slot.valueDim());
    code.add("    @%outside bra NOTDRAFT;");
    for (int j = 0; j < keyDim; j++) {
      code.add("    st.global.f32 [%%state+%d], %%s%d;", 4 * j * slot.valueDim(), j);
    }
    code.add("NOTDRAFT:\n    setp.ge.u32 %outside, %turn, %turns;\n    @%outside bra DONE;");
    code.add("    bar.sync 0;   // the last row's keys were read");
    source(code);
    load(code);
    code.add("    bar.sync 0;");
    advance(code);
    write(code);
    code.add("    add.u32 %turn, %turn, 1;\n    bra ROW;\nDONE:\n    ret;");
    return code.kernel(
        Code.name("deltarule", this),
        List.of(
            "u64 result",
            "u64 q",
            "u64 k",
            "u64 v",
            "u64 decay",
            "u64 beta",
            "u64 parts",
            "u64 states"));
  }

  /** Where this turn's row is: among those kept, or of the step. */
  private void source(Code code) {
    int headBytes = 4 * KeptRows.headFloats(slot);
    code.add("    setp.lt.u32 %iskept, %turn, %pending;\n    @!%iskept bra NOW;");
    code.add("    mad.lo.u32 %%at, %%turn, %d, %%head;", slot.heads());
    code.add("    mad.wide.u32 %%rowk, %%at, %d, %%kept;", headBytes);
    code.add("    mov.u64 %rowq, %rowk;   // nobody wants what could be read of it");
    code.add("    add.u64 %%rowv, %%rowk, %d;", 4 * slot.keyDim());
    code.add("    mad.wide.u32 %cell, %column, 4, %rowv;\n    ld.global.f32 %value, [%cell];");
    int gates = 4 * (slot.keyDim() + slot.valueDim());
    code.add("    ld.global.f32 %%decay, [%%rowk+%d];", gates);
    code.add("    ld.global.f32 %%beta, [%%rowk+%d];", gates + 4);
    code.add("    bra SOURCED;\nNOW:");
    code.add("    sub.u32 %row, %turn, %pending;\n    add.u32 %row, %row, %firstrow;");
    head(k, "k", "%keyhead", "%rowk", code);
    head(q, "q", "%keyhead", "%rowq", code);
    head(v, "v", "%head", "%rowv", code);
    code.add("    mad.wide.u32 %%cell, %%column, %d, %%rowv;", 4 * v.strides().getLast());
    code.add("    ld.global.f32 %value, [%cell];");
    head(decay, "decay", "%head", "%cell", code);
    code.add("    ld.global.f32 %decay, [%cell];");
    head(beta, "beta", "%head", "%cell", code);
    code.add("    ld.global.f32 %beta, [%cell];\nSOURCED:");
  }

  private static void head(Strided value, String parameter, String head, String to, Code code) {
    code.add("    ld.param.u64 %%base, [%s];", parameter);
    code.add("    mul.lo.u32 %%at, %%row, %d;", value.strides().get(0));
    code.add("    mad.lo.u32 %%at, %s, %d, %%at;", head, value.strides().get(1));
    code.add("    mad.wide.u32 %s, %%at, 4, %%base;", to);
  }

  /** The row's key and query to shared memory; a key of a draft's row is kept, too. */
  private void load(Code code) {
    int headBytes = 4 * KeptRows.headFloats(slot);
    code.add("    setp.ge.u32 %isdraft, %turn, %draft;\n    sub.u32 %at, %turn, %draft;");
    code.add("    mad.lo.u32 %%at, %%at, %d, %%head;", slot.heads());
    code.add("    mad.wide.u32 %%keptrow, %%at, %d, %%kept;", headBytes);
    code.add("    mov.u32 %e, %d;\nKEYS:");
    code.add("    setp.ge.u32 %%outside, %%e, %d;\n    @%%outside bra LOADED;", slot.keyDim());
    code.add("    mul.lo.u32 %%at, %%e, %d;", 4 * k.strides().getLast());
    code.add("    mul.lo.u32 %row, %e, 4;\n    selp.u32 %at, %row, %at, %iskept;");
    code.add("    cvt.u64.u32 %base, %at;\n    add.u64 %cell, %rowk, %base;");
    code.add("    ld.global.f32 %key, [%cell];");
    code.add("    mul.lo.u32 %%at, %%e, %d;", 4 * q.strides().getLast());
    code.add("    selp.u32 %at, %row, %at, %iskept;");
    code.add("    cvt.u64.u32 %base, %at;\n    add.u64 %cell, %rowq, %base;");
    code.add("    ld.global.f32 %query, [%cell];");
    code.add("    mad.lo.u32 %at, %e, 4, %keys;\n    st.shared.f32 [%at], %key;");
    code.add("    mad.lo.u32 %at, %e, 4, %queries;\n    st.shared.f32 [%at], %query;");
    code.add("    mad.wide.u32 %cell, %e, 4, %keptrow;");
    code.add("    @%isdraft st.global.f32 [%cell], %key;");
    code.add("    add.u32 %%e, %%e, %d;\n    bra KEYS;\nLOADED:", threads());
  }

  private void advance(Code code) {
    code.add("    mov.f32 %known, 0f00000000;\n    mov.f32 %sum, 0f00000000;");
    for (int j = 0; j < slot.keyDim(); j++) {
      code.add("    mul.f32 %%s%d, %%s%d, %%decay;", j, j);
      code.add("    ld.shared.f32 %%key, [%%keys+%d];", 4 * j);
      code.add("    fma.rn.f32 %%known, %%key, %%s%d, %%known;", j);
    }
    code.add("    sub.f32 %change, %value, %known;\n    mul.f32 %change, %change, %beta;");
    for (int j = 0; j < slot.keyDim(); j++) {
      code.add("    ld.shared.f32 %%key, [%%keys+%d];", 4 * j);
      code.add("    fma.rn.f32 %%s%d, %%key, %%change, %%s%d;", j, j);
      code.add("    ld.shared.f32 %%query, [%%queries+%d];", 4 * j);
      code.add("    fma.rn.f32 %%sum, %%query, %%s%d, %%sum;", j);
    }
  }

  private void write(Code code) {
    code.add("    setp.ge.u32 %%outside, %%d, %d;\n    @%%outside bra NEXT;", slot.valueDim());
    code.add("    @%iskept bra NEXT;");
    code.add("    sub.u32 %row, %turn, %pending;\n    add.u32 %row, %row, %firstrow;");
    head(result, "result", "%head", "%out", code);
    code.add("    mad.wide.u32 %%cell, %%d, %d, %%out;", 4 * result.strides().getLast());
    code.add("    st.global.f32 [%cell], %sum;\n    @!%isdraft bra NEXT;");
    code.add("    mad.wide.u32 %cell, %d, 4, %keptrow;");
    code.add("    st.global.f32 [%%cell+%d], %%value;", 4 * slot.keyDim());
    code.add("    setp.ne.u32 %outside, %d, 0;\n    @%outside bra NEXT;");
    int gates = 4 * (slot.keyDim() + slot.valueDim());
    code.add("    st.global.f32 [%%keptrow+%d], %%decay;", gates);
    code.add("    st.global.f32 [%%keptrow+%d], %%beta;\nNEXT:", gates + 4);
  }
}
