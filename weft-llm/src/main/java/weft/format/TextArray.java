package weft.format;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * An immutable array of texts as one block of bytes, in the file or on the heap, so that a
 * vocabulary of hundreds of thousands costs two objects and tokens that are not UTF-8 keep their
 * bytes.
 */
public final class TextArray {
  private final MemorySegment bytes;
  private final int[] ends;
  private final int gap;

  /**
   * Takes over both: text {@code i} ends at {@code ends[i]}, and the next one begins {@code gap}
   * bytes later, as the first does behind the start.
   */
  TextArray(MemorySegment bytes, int[] ends, int gap) {
    this.bytes = bytes.asReadOnly();
    this.ends = ends;
    this.gap = gap;
  }

  public static TextArray of(List<String> texts) {
    var encoded = texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    return ofBytes(encoded);
  }

  public static TextArray ofBytes(List<byte[]> texts) {
    var ends = new int[texts.size()];
    int end = 0;
    for (int i = 0; i < ends.length; i++) {
      end = Math.addExact(end, texts.get(i).length);
      ends[i] = end;
    }
    var bytes = new byte[end];
    for (int i = 0; i < ends.length; i++) {
      var text = texts.get(i);
      System.arraycopy(text, 0, bytes, ends[i] - text.length, text.length);
    }
    return new TextArray(MemorySegment.ofArray(bytes), ends, 0);
  }

  public int size() {
    return ends.length;
  }

  void unload() {
    MappedFile.unload(bytes);
  }

  /** A copy of the bytes of one text. */
  public byte[] bytes(int index) {
    Objects.checkIndex(index, ends.length);
    int start = (index == 0 ? 0 : ends[index - 1]) + gap;
    var copy = new byte[ends[index] - start];
    MemorySegment.copy(bytes, LittleEndian.BYTE, start, copy, 0, copy.length);
    return copy;
  }

  /** One text; bytes that are not UTF-8 become U+FFFD. */
  public String string(int index) {
    return new String(bytes(index), StandardCharsets.UTF_8);
  }

  /** A view that decodes a text each time it is asked for. */
  public List<String> strings() {
    return new Strings(this);
  }

  private static final class Strings extends AbstractList<String> implements RandomAccess {
    private final TextArray texts;

    Strings(TextArray texts) {
      this.texts = texts;
    }

    @Override
    public String get(int index) {
      return texts.string(index);
    }

    @Override
    public int size() {
      return texts.size();
    }
  }
}
