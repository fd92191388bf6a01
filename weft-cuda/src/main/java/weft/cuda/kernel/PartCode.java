package weft.cuda.kernel;

/** How kernels of recurrent slots find a sequence's rows and memory. */
public final class PartCode {
  /** Words of a sequence's entry: its first row, its rows, how many are a draft, and pending. */
  public static final int WORDS = 4;

  static final String REGISTERS =
      """
          .reg .u32 %part, %firstrow, %rows, %tentative, %pending, %draft, %turn, %turns;
          .reg .u64 %entry, %state, %kept;
      """;

  private PartCode() {}

  /**
   * Reads them; {@code %draft} is the turn from which rows are a draft, counted with what is
   * pending.
   */
  static void begin(int partBytes, Code code) {
    code.add(
        """
            mov.u32 %part, %ctaid.y;
            ld.param.u64 %entry, [parts];
        """);
    code.add("    mad.wide.u32 %%entry, %%part, %d, %%entry;", WORDS * Integer.BYTES);
    code.add(
        """
            ld.global.u32 %firstrow, [%entry];
            ld.global.u32 %rows, [%entry+4];
            ld.global.u32 %tentative, [%entry+8];
            ld.global.u32 %pending, [%entry+12];
            ld.param.u64 %entry, [states];
        """);
    code.add("    mad.wide.u32 %%entry, %%part, %d, %%entry;", partBytes);
    code.add(
        """
            ld.global.u64 %state, [%entry];
            ld.global.u64 %kept, [%entry+8];
            add.u32 %turns, %pending, %rows;   // rows that were kept come first
            sub.u32 %draft, %turns, %tentative;
            mov.u32 %turn, 0;
        """);
  }
}
