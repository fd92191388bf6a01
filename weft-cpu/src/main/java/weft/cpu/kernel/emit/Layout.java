package weft.cpu.kernel.emit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A block that Java writes and emitted code reads. Each field is declared once, with what is
 * written there, and gets its place by the order of the declarations: the constants that emitters
 * address by are what the declarations give.
 *
 * @param <A> what a block is written from
 */
public final class Layout<A> {
  /** What is written to a place of a block that begins at a byte of some memory. */
  @FunctionalInterface
  private interface Field<A> {
    void write(A from, MemorySegment memory, long block);
  }

  /** A number of 32 bits. */
  @FunctionalInterface
  public interface ToFloat<A> {
    float of(A from);
  }

  private final List<Field<A>> fields = new ArrayList<>();
  private int end;

  /** The next field of so many bytes, at a multiple of their number up to a word's. */
  private int place(int bytes) {
    int multiple = Math.min(bytes, Long.BYTES);
    int at = Math.ceilDiv(end, multiple) * multiple;
    end = at + bytes;
    return at;
  }

  /** A field of 64 bits that holds where some memory begins. */
  public int address(Function<? super A, MemorySegment> of) {
    int at = place(Long.BYTES);
    fields.add((from, memory, block) -> memory.set(ADDRESS, block + at, of.apply(from)));
    return at;
  }

  /** A field of 64 bits that holds a whole number. */
  public int number(ToLongFunction<? super A> of) {
    int at = place(Long.BYTES);
    fields.add((from, memory, block) -> memory.set(JAVA_LONG, block + at, of.applyAsLong(from)));
    return at;
  }

  /** A field of 32 bits that holds a float. */
  public int real(ToFloat<? super A> of) {
    int at = place(Float.BYTES);
    fields.add((from, memory, block) -> memory.set(JAVA_FLOAT, block + at, of.of(from)));
    return at;
  }

  /** A block within the block. */
  public <P> int part(Layout<P> layout, Function<? super A, P> of) {
    int at = room(layout.bytes());
    fields.add((from, memory, block) -> layout.write(of.apply(from), memory, block + at));
    return at;
  }

  /** So many bytes, at a multiple of eight, that this layout does not write. */
  public int room(int bytes) {
    return room(bytes, Long.BYTES);
  }

  /** The same at a multiple of more. */
  public int room(int bytes, int multiple) {
    int at = Math.ceilDiv(end, multiple) * multiple;
    end = at + bytes;
    return at;
  }

  /** The bytes of the fields declared so far, a multiple of eight. */
  public int bytes() {
    return Math.ceilDiv(end, Long.BYTES) * Long.BYTES;
  }

  /** Writes all fields of a block that begins at this byte. */
  public void write(A from, MemorySegment memory, long block) {
    for (var field : fields) field.write(from, memory, block);
  }
}
