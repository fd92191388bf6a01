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
  private final int size;
  private final Lengths lengths;

  /** Where each text ends; nothing once it was let go, which lengths before texts allow. */
  private volatile int[] ends;

  /** What stands before each text: its length, so wide, or nothing. */
  enum Lengths {
    NONE(0),
    INT(Integer.BYTES),
    LONG(Long.BYTES);

    private final int bytes;

    Lengths(int bytes) {
      this.bytes = bytes;
    }
  }

  private TextArray(MemorySegment bytes, int size, Lengths lengths, int[] ends) {
    this.bytes = bytes.asReadOnly();
    this.size = size;
    this.lengths = lengths;
    this.ends = ends;
  }

  /** Texts that each stand behind their length, and end there. */
  static TextArray behindLengths(MemorySegment bytes, Lengths lengths, int[] ends) {
    return new TextArray(bytes, ends.length, lengths, ends);
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
    return new TextArray(MemorySegment.ofArray(bytes), ends.length, Lengths.NONE, ends);
  }

  public int size() {
    return size;
  }

  void unload() {
    if (lengths != Lengths.NONE) ends = new int[0];
    MappedFile.unload(bytes);
  }

  /** Threads that meet here find the same. */
  private int[] ends() {
    var known = ends;
    if (known.length < size) {
      known = new int[size];
      long at = 0;
      for (int i = 0; i < size; i++) {
        at += lengths.bytes + length(at);
        known[i] = Math.toIntExact(at);
      }
      ends = known;
    }
    return known;
  }

  private long length(long at) {
    return lengths == Lengths.INT
        ? bytes.get(LittleEndian.INT, at)
        : bytes.get(LittleEndian.LONG, at);
  }

  /** A copy of the bytes of one text. */
  public byte[] bytes(int index) {
    Objects.checkIndex(index, size);
    var known = ends();
    int start = (index == 0 ? 0 : known[index - 1]) + lengths.bytes;
    var copy = new byte[known[index] - start];
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
