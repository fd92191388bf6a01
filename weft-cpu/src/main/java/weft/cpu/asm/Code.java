package weft.cpu.asm;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Assembled machine code that runs at any address, with the listing it was written from. */
public final class Code {
  /** What a line of the listing shows. */
  public enum Kind {
    LABEL,
    INSTRUCTION,
    DATA,
    NOTE
  }

  /** One line of the listing: its place and length in the code, and its text. */
  public record Line(Kind kind, int offset, int length, String text) {}

  private final byte[] bytes;
  private final Supplier<List<Line>> lines;
  private final Entries entries;

  Code(byte[] bytes, Supplier<List<Line>> lines, Map<String, Integer> entries) {
    this.bytes = bytes;
    this.lines = lines;
    this.entries = new Entries(entries);
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  public List<Line> lines() {
    return lines.get();
  }

  /** Where its functions begin. */
  Entries entries() {
    return entries;
  }

  /** The code as text, in Intel syntax, without addresses: what was asked for, line by line. */
  public String listing() {
    var text = new StringBuilder();
    for (var line : lines()) {
      text.append(
              switch (line.kind()) {
                case LABEL -> line.text();
                case INSTRUCTION -> "    " + line.text();
                case NOTE -> "    ; " + line.text();
                case DATA -> "    ; " + line.length() + " bytes of " + line.text();
              })
          .append('\n');
    }
    return text.toString();
  }

  /** The bytes of one line of the listing, in hexadecimal. */
  public String hex(Line line) {
    return HexFormat.of().formatHex(bytes, line.offset(), line.offset() + line.length());
  }
}
