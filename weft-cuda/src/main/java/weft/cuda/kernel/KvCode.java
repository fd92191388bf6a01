package weft.cuda.kernel;

import weft.backend.KvLayout;
import weft.backend.KvType;
import weft.ir.Slot;

/** How kernels find and read what a slot keeps of its tokens, for any way of keeping it. */
record KvCode(KvLayout layout) {
  /** What the lines below write to. */
  static final String REGISTERS =
      """
          .reg .u32 %place64, %inpage, %blockno;
          .reg .u64 %table, %page, %cell, %page8;
          .reg .b16 %half;
          .reg .s32 %quant;
          .reg .f32 %decoded;
      """;

  static KvCode of(Slot.KeyValue slot, KvType type) {
    return new KvCode(KvLayout.of(slot, type));
  }

  /** Layers of one shape share their kernels. */
  static Slot.KeyValue unnamed(Slot.KeyValue slot) {
    return new Slot.KeyValue("any", slot.heads(), slot.keyDim(), slot.valueDim(), slot.window());
  }

  private enum Kept {
    F32,
    F16,
    Q8_0
  }

  private Kept kept() {
    return Kept.valueOf(layout.encoding().name());
  }

  /** The page table of the sequence that a row is of; {@code %row} and {@code %place64} change. */
  static void table(int partBytes, Code code) {
    code.add("    ld.param.u64 %page, [parts];");
    code.add("    mad.wide.u32 %cell, %row, 4, %page;");
    code.add("    ld.global.u32 %place64, [%cell];   // which sequence the row is of");
    code.add("    ld.param.u64 %page, [tables];");
    code.add("    mad.wide.u32 %%cell, %%place64, %d, %%page;", partBytes);
    code.add("    ld.global.u64 %table, [%cell];");
  }

  /** {@code %page} is that of page number {@code number}. */
  static void page(String number, Code code) {
    code.add("    mad.wide.u32 %%cell, %s, 8, %%table;", number);
    code.add("    ld.global.u64 %page, [%cell];");
  }

  /** Where a head's keys of a page begin. */
  void keys(String head, String to, Code code) {
    code.add("    mad.wide.u32 %s, %s, %d, %%page;", to, head, layout.keyHeadBytes());
  }

  void values(String head, String to, Code code) {
    code.add("    mad.wide.u32 %s, %s, %d, %%page;", to, head, layout.valueHeadBytes());
    code.add("    add.u64 %s, %s, %d;", to, to, layout.valuesAt());
  }

  /** Element {@code e} of the row at {@code row}, as a float in {@code to}. */
  void load(String row, String e, String to, Code code) {
    switch (kept()) {
      case F32 -> {
        code.add("    mad.wide.u32 %%cell, %s, 4, %s;", e, row);
        code.add("    ld.global.f32 %s, [%%cell];", to);
      }
      case F16 -> {
        code.add("    mad.wide.u32 %%cell, %s, 2, %s;", e, row);
        code.add("    ld.global.b16 %half, [%cell];");
        code.add("    cvt.f32.f16 %s, %%half;", to);
      }
      case Q8_0 -> {
        block(row, e, code);
        code.add("    ld.global.b16 %half, [%cell];");
        code.add("    cvt.f32.f16 %decoded, %half;");
        code.add("    and.b32 %%inpage, %s, 31;", e);
        code.add("    cvt.u64.u32 %page8, %inpage;\n    add.u64 %cell, %cell, %page8;");
        code.add("    ld.global.s8 %quant, [%cell+2];");
        code.add("    cvt.rn.f32.s32 %s, %%quant;", to);
        code.add("    mul.f32 %s, %s, %%decoded;", to, to);
      }
    }
  }

  /** {@code %cell} is the block of 32 that an element is in. */
  private static void block(String row, String e, Code code) {
    code.add("    shr.u32 %%blockno, %s, 5;", e);
    code.add("    mad.wide.u32 %%cell, %%blockno, 34, %s;", row);
  }

  /**
   * Stores a warp's elements {@code e} of the row at {@code row}: lane i has one of a block's 32,
   * the i-th. Needs %lane, %a8, %b8, %other and %first.
   */
  void store(String row, String e, String from, Code code) {
    switch (kept()) {
      case F32 -> {
        code.add("    mad.wide.u32 %%cell, %s, 4, %s;", e, row);
        code.add("    st.global.f32 [%%cell], %s;", from);
      }
      case F16 -> {
        code.add("    mad.wide.u32 %%cell, %s, 2, %s;", e, row);
        code.add("    cvt.rn.f16.f32 %%half, %s;", from);
        code.add("    st.global.b16 [%cell], %half;");
      }
      case Q8_0 -> {
        block(row, e, code);
        code.add("    abs.f32 %%a8, %s;", from);
        code.warpMax("%a8");
        code.add("    div.rn.f32 %%a8, %%a8, %s;   // the scale of 32", Code.number(127));
        code.add("    cvt.rn.f16.f32 %half, %a8;");
        code.add("    setp.eq.u32 %first, %lane, 0;");
        code.add("    @%first st.global.b16 [%cell], %half;");
        code.add("    rcp.rn.f32 %b8, %a8;");
        code.add("    setp.eq.f32 %first, %a8, 0f00000000;");
        code.add("    selp.f32 %b8, 0f00000000, %b8, %first;");
        code.add("    mul.f32 %%b8, %%b8, %s;", from);
        code.add("    setp.lt.f32 %first, %b8, 0f00000000;");
        code.add("    selp.f32 %a8, 0fBF000000, 0f3F000000, %first;");
        code.add("    add.f32 %b8, %b8, %a8;\n    cvt.rzi.s32.f32 %quant, %b8;");
        code.add("    cvt.u64.u32 %page8, %lane;\n    add.u64 %cell, %cell, %page8;");
        code.add("    st.global.u8 [%cell+2], %quant;");
      }
    }
  }
}
