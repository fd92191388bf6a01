package weft.cpu.kernel.attention;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import weft.quant.Encoding;

/** Pages of keys and values for tests of kernels, each of them memory of its own. */
public record StoredPages(Encoding encoding, int heads, int keyDim, int valueDim) {
  /** Pages that hold some positions of a sequence, and the addresses of all before them: none. */
  public record Table(MemorySegment addresses, int first, List<MemorySegment> pages) {
    MemorySegment page(int position) {
      return pages.get(position / KvPart.POSITIONS - first);
    }
  }

  private long keyBytes() {
    return encoding.bytes(keyDim);
  }

  private long valueBytes() {
    return encoding.bytes(valueDim);
  }

  private long valuesAt() {
    return heads * KvPart.POSITIONS * keyBytes();
  }

  public long pageBytes() {
    long values = heads * KvPart.POSITIONS * valueBytes();
    return valuesAt() + Math.max(values, KvPart.KEYS_BEHIND * keyBytes());
  }

  /** The floats of a page, where it holds floats. */
  public long pageValues() {
    return pageBytes() / encoding.bytes(encoding.blockValues()) * encoding.blockValues();
  }

  /** Pages for the positions from one to before another; the table is memory of the same kind. */
  public Table of(LongFunction<MemorySegment> memory, int from, int to) {
    return of(memory, _ -> memory.apply(pageBytes()), from, to);
  }

  public Table of(
      LongFunction<MemorySegment> block, LongFunction<MemorySegment> page, int from, int to) {
    int first = from / KvPart.POSITIONS;
    int end = Math.ceilDiv(to, KvPart.POSITIONS);
    var addresses = block.apply((long) end * Long.BYTES);
    var pages = new ArrayList<MemorySegment>();
    for (int i = 0; i < end; i++) {
      if (i >= first) pages.add(page.apply(i));
      long address = i < first ? 0 : pages.getLast().address();
      addresses.setAtIndex(ValueLayout.JAVA_LONG, i, address);
    }
    return new Table(addresses, first, pages);
  }

  public KvPart part(Table table, int window, int position) {
    return part(table, window, position, 0);
  }

  /** The same for rows that see up to a position behind theirs. */
  KvPart part(Table table, int window, int position, int reach) {
    return new KvPart(
        table.addresses, keyBytes(), valueBytes(), valuesAt(), window, position, reach);
  }

  long keyAt(int head, int position) {
    return ((long) head * KvPart.POSITIONS + position % KvPart.POSITIONS) * keyBytes();
  }

  long valueAt(int head, int position) {
    long place = (long) head * KvPart.POSITIONS + position % KvPart.POSITIONS;
    return valuesAt() + place * valueBytes();
  }

  /** Stores a key and makes the floats what was stored. */
  void storeKey(Table table, int head, int position, float[] k, int at) {
    encoding.encode(k, at, keyDim, table.page(position), keyAt(head, position));
    encoding.decode(table.page(position), keyAt(head, position), k, at, keyDim);
  }

  void storeValue(Table table, int head, int position, float[] v, int at) {
    encoding.encode(v, at, valueDim, table.page(position), valueAt(head, position));
    encoding.decode(table.page(position), valueAt(head, position), v, at, valueDim);
  }
}
