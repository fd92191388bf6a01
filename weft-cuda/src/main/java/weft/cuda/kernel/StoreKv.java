package weft.cuda.kernel;

import java.util.List;
import weft.backend.KvType;
import weft.cuda.ptx.PtxFunction;
import weft.ir.Slot;

/**
 * Keys, rotated, and values of a step's rows put to where their sequences keep them, and queries,
 * rotated, to where attention reads them: a block a row and head of keys, whose first warp has the
 * key and whose second the value, then a block a row and head of queries.
 *
 * @param q rows of heads of float32
 * @param turned the same behind each other
 * @param partBytes from one sequence's addresses to the next one's
 */
public record StoreKv(
    Slot.KeyValue slot,
    KvType type,
    Turning turning,
    Strided q,
    Strided turned,
    Strided k,
    Strided v,
    int partBytes) {
  public static final int THREADS = 64;

  public StoreKv {
    // The window is attention's matter.
    slot = new Slot.KeyValue("any", slot.heads(), slot.keyDim(), slot.valueDim(), Slot.UNBOUNDED);
  }

  /** Blocks of a row. */
  public int blocks() {
    return slot.heads() + q.sizes().getFirst();
  }

  /** Parameters: queries, those turned, keys, values, frequencies, rope positions; of rows. */
  public PtxFunction kernel() {
    var kv = KvCode.of(slot, type);
    var code = new Code();
    code.add(
            """
                .reg .u32 %row, %head, %thread, %lane, %at, %rest, %axis, %e, %seen, %pageno;
                .reg .u64 %base, %to;
                .reg .f32 %a, %a8, %b8, %other;
                .reg .pred %outside, %first, %isvalue, %isquery;
            """)
        .add(KvCode.REGISTERS)
        .add(Turning.REGISTERS)
        .add(
            """
                mov.u32 %head, %ctaid.x;
                mov.u32 %row, %ctaid.y;
                mov.u32 %thread, %tid.x;
                and.b32 %lane, %thread, 31;
                ld.param.u64 %base, [places];
                mad.wide.u32 %to, %row, 4, %base;
                ld.global.u32 %seen, [%to];   // where in its sequence the row is
            """);
    turning.begin(code);
    code.add("    setp.ge.u32 %%isquery, %%head, %d;\n    @%%isquery bra QUERY;", slot.heads());
    KvCode.table(partBytes, code);
    code.add("    shr.u32 %pageno, %seen, 6;\n    and.b32 %seen, %seen, 63;");
    KvCode.page("%pageno", code);
    code.add("    mov.u32 %e, %lane;\n    setp.ge.u32 %isvalue, %thread, 32;");
    code.add("    @%isvalue bra VALUE;");
    kv.keys("%head", "%to", code);
    code.add("    mad.wide.u32 %%to, %%seen, %d, %%to;", kv.layout().keyBytes());
    part(k, "k", code);
    loop("KEY", slot.keyDim(), code);
    turning.element("%base", k.strides().getLast(), "%a", "", code);
    kv.store("%to", "%e", "%a", code);
    code.add("    add.u32 %e, %e, 32;\n    bra KEY;\nVALUE:");
    kv.values("%head", "%to", code);
    code.add("    mad.wide.u32 %%to, %%seen, %d, %%to;", kv.layout().valueBytes());
    part(v, "v", code);
    loop("NEXT", slot.valueDim(), code);
    Turning.NONE.element("%base", v.strides().getLast(), "%a", "", code);
    kv.store("%to", "%e", "%a", code);
    code.add("    add.u32 %e, %e, 32;\n    bra NEXT;\nQUERY:");
    query(code);
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
            "u64 tables"));
  }

  private void query(Code code) {
    code.add("    sub.u32 %%head, %%head, %d;\n    mov.u32 %%e, %%thread;", slot.heads());
    part(turned, "turned", code);
    code.add("    mov.u64 %to, %base;");
    part(q, "q", code);
    loop("TURN", slot.keyDim(), code);
    turning.element("%base", q.strides().getLast(), "%a", "_Q", code);
    code.add("    mad.wide.u32 %%cell, %%e, %d, %%to;", Float.BYTES * turned.strides().getLast());
    code.add("    st.global.f32 [%cell], %a;");
    code.add("    add.u32 %%e, %%e, %d;\n    bra TURN;", THREADS);
  }

  /** Where this row's head of a value begins. */
  private static void part(Strided value, String parameter, Code code) {
    code.add("    ld.param.u64 %%base, [%s];", parameter);
    code.add("    mul.lo.u32 %%at, %%row, %d;", value.strides().get(0));
    code.add("    mad.lo.u32 %%at, %%head, %d, %%at;", value.strides().get(1));
    code.add("    mad.wide.u32 %base, %at, 4, %base;");
  }

  private static void loop(String label, int width, Code code) {
    code.add("%s:", label);
    code.add("    setp.ge.u32 %%outside, %%e, %d;", width);
    code.add("    @%outside bra DONE;");
  }
}
