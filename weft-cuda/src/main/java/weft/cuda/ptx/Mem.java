package weft.cuda.ptx;

/** A place in memory: a space, a register or symbol to begin at, and bytes beyond it. */
public record Mem(Space space, String base, int offset) {
  /** Which memory an address is in. */
  public enum Space {
    GLOBAL("global"),
    SHARED("shared"),
    CONST("const"),
    PARAM("param");

    private final String word;

    Space(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  public static Mem global(Reg.B64 address) {
    return new Mem(Space.GLOBAL, address.text(), 0);
  }

  public static Mem shared(Reg.B32 address) {
    return new Mem(Space.SHARED, address.text(), 0);
  }

  /** The beginning of a declared piece of shared memory. */
  public static Mem shared(Shared memory) {
    return new Mem(Space.SHARED, memory.name(), 0);
  }

  /** The same place, so many bytes on. */
  public Mem plus(int bytes) {
    return new Mem(space, base, offset + bytes);
  }

  String text() {
    return offset == 0 ? "[" + base + "]" : "[" + base + (offset < 0 ? "" : "+") + offset + "]";
  }
}
