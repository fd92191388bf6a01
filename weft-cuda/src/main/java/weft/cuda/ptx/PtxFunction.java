package weft.cuda.ptx;

/**
 * One kernel as text: what is declared outside of it, and its entry.
 *
 * @param name the entry's, a legal identifier that says what the kernel does
 */
public record PtxFunction(String name, String text) {}
