package weft.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Changes of a GGUF file by its parts: numbers become others, pairs and tensors go, come twice or
 * change places, with the counts in the header made right most of the time.
 */
final class GgufMutation {
  private static final int TENSOR_COUNT = 8;
  private static final int PAIR_COUNT = 16;
  private static final int FIRST_PAIR = 24;
  private static final int STRING = 8;
  private static final int ARRAY = 9;
  private static final int[] WIDTHS = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

  /** More of one kind than this tell nothing new. */
  private static final int MOST_ELEMENTS = 64;

  private static final int DEEPEST = 8;

  /** A number in the header. */
  private record Field(int at, int width) {}

  /** A metadata pair, or a tensor's entry. */
  private record Item(int countAt, int start, int value, int end) {}

  private final byte[] bytes;
  private final ByteBuffer in;
  private final List<Field> fields = new ArrayList<>();
  private final List<Field> scalars = new ArrayList<>();
  private final List<Item> items = new ArrayList<>();
  private final int headerEnd;

  private GgufMutation(byte[] bytes) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    this.headerEnd = scan();
  }

  static byte[] mutate(byte[] input, byte[] other, Draw draw) {
    byte[] bytes = input;
    for (int i = draw.small(4); i >= 0; i--) {
      bytes = new GgufMutation(bytes).changed(other, draw);
    }
    return bytes;
  }

  /** Changes what the file says, not how: a number in its metadata, or weights. */
  static byte[] otherNumbers(byte[] input, Draw draw) {
    byte[] bytes = input;
    for (int i = draw.small(3); i >= 0; i--) {
      var file = new GgufMutation(bytes);
      bytes =
          file.scalars.isEmpty() || draw.oneIn(2)
              ? file.data(draw)
              : file.number(draw.of(file.scalars), draw);
    }
    return bytes;
  }

  private byte[] changed(byte[] other, Draw draw) {
    if (items.isEmpty()) return ByteMutation.mutate(bytes, other, draw);
    return switch (draw.below(14)) {
      case 0, 1, 2, 3, 4 -> number(draw.of(fields), draw);
      case 5 -> without(draw.of(items), draw);
      case 6 -> twice(draw.of(items), draw.of(items), draw);
      case 7 -> exchanged(draw.of(items), draw.of(items));
      case 8 -> valueOf(draw.of(items), new GgufMutation(other), draw);
      case 9 -> data(draw);
      case 10 -> Arrays.copyOf(bytes, Math.max(0, bytes.length - draw.small(bytes.length)));
      case 11 -> name(draw.of(items), draw);
      case 12 -> headerByte(draw);
      default -> ByteMutation.mutate(bytes, other, draw);
    };
  }

  private byte[] number(Field field, Draw draw) {
    long old = 0;
    for (int i = field.width - 1; i >= 0; i--) old = old << 8 | bytes[field.at + i] & 0xFF;
    long value =
        field.width == 4 && draw.oneIn(6)
            ? Float.floatToRawIntBits(draw.of(List.of(0f, -1f, 1e-30f, 1e38f, Float.NaN, -0f)))
            : draw.instead(old);
    return ByteMutation.number(bytes.clone(), field.at, value, field.width);
  }

  private byte[] without(Item item, Draw draw) {
    return counted(
        ByteMutation.replaced(bytes, item.start, item.end - item.start, new byte[0]),
        item.countAt,
        -1,
        draw);
  }

  private byte[] twice(Item item, Item before, Draw draw) {
    var copy = Arrays.copyOfRange(bytes, item.start, item.end);
    return counted(ByteMutation.replaced(bytes, before.start, 0, copy), before.countAt, 1, draw);
  }

  private byte[] exchanged(Item one, Item another) {
    if (one.start > another.start) return exchanged(another, one);
    if (one.end > another.start) return bytes;
    var first = Arrays.copyOfRange(bytes, one.start, one.end);
    var second = Arrays.copyOfRange(bytes, another.start, another.end);
    return ByteMutation.replaced(
        ByteMutation.replaced(bytes, another.start, second.length, first),
        one.start,
        first.length,
        second);
  }

  private byte[] valueOf(Item item, GgufMutation other, Draw draw) {
    if (other.items.isEmpty()) return bytes;
    var from = draw.of(other.items);
    var value = Arrays.copyOfRange(other.bytes, from.value, from.end);
    return ByteMutation.replaced(bytes, item.value, item.end - item.value, value);
  }

  /** One bit of a name: most often it is another's, or nobody's, then. */
  private byte[] name(Item item, Draw draw) {
    byte[] out = bytes.clone();
    int length = item.value - item.start - 8;
    if (length > 0) out[item.start + 8 + draw.below(length)] ^= (byte) (1 << draw.below(8));
    return out;
  }

  private byte[] headerByte(Draw draw) {
    byte[] out = bytes.clone();
    out[draw.below(headerEnd)] = (byte) draw.edge();
    return out;
  }

  /** Weights: some bits, or a run of one of the numbers that floats have besides numbers. */
  private byte[] data(Draw draw) {
    if (headerEnd >= bytes.length) return bytes;
    byte[] out = bytes.clone();
    int from = headerEnd + draw.below(bytes.length - headerEnd);
    int odd = draw.of(List.of(0, -1, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7C00_7C00, 1));
    if (draw.oneIn(2)) {
      for (int at = from & ~3; at + 4 <= out.length && at < from + 4 * draw.small(64); at += 4) {
        ByteMutation.number(out, at, odd, 4);
      }
    } else {
      for (int i = draw.small(32); i >= 0; i--) {
        out[headerEnd + draw.below(out.length - headerEnd)] = (byte) draw.bits();
      }
    }
    return out;
  }

  private static byte[] counted(byte[] bytes, int countAt, int more, Draw draw) {
    if (draw.oneIn(8)) return bytes;
    long count = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(countAt);
    return ByteMutation.number(bytes, countAt, count + more, 8);
  }

  /** Notes where everything is; stops where the file stops making sense. */
  private int scan() {
    if (bytes.length < FIRST_PAIR) return bytes.length;
    fields.add(new Field(4, 4));
    fields.add(new Field(TENSOR_COUNT, 8));
    fields.add(new Field(PAIR_COUNT, 8));
    long tensors = in.getLong(TENSOR_COUNT);
    long pairs = in.getLong(PAIR_COUNT);
    int at = FIRST_PAIR;
    try {
      for (long i = 0; i < pairs; i++) {
        int value = text(at);
        int end = value(value);
        items.add(new Item(PAIR_COUNT, at, value, end));
        at = end;
      }
      for (long i = 0; i < tensors; i++) {
        int value = text(at);
        int end = entry(value);
        items.add(new Item(TENSOR_COUNT, at, value, end));
        at = end;
      }
    } catch (IndexOutOfBoundsException _) {
      return bytes.length;
    }
    return at;
  }

  private int field(int at, int width) {
    Objects.checkFromIndexSize(at, width, bytes.length);
    fields.add(new Field(at, width));
    return at + width;
  }

  private int text(int at) {
    long length = in.getLong(at);
    int start = field(at, 8);
    Objects.checkFromIndexSize(start, length, (long) bytes.length);
    return start + (int) length;
  }

  private int value(int at) {
    int type = in.getInt(at);
    int end = typed(field(at, 4), type, 0);
    if (type != STRING && type != ARRAY) scalars.add(fields.getLast());
    return end;
  }

  private int typed(int at, int type, int depth) {
    Objects.checkIndex(type, WIDTHS.length);
    return switch (type) {
      case STRING -> text(at);
      case ARRAY -> array(at, depth + 1);
      default -> field(at, WIDTHS[type]);
    };
  }

  private int array(int at, int depth) {
    Objects.checkIndex(depth, DEEPEST);
    int type = in.getInt(at);
    long count = in.getLong(at + 4);
    int next = field(field(at, 4), 8);
    Objects.checkFromToIndex(0, count, (long) bytes.length);
    for (long i = 0; i < count; i++) {
      next = typed(next, type, depth);
      if (i > MOST_ELEMENTS && type != ARRAY) fields.removeLast();
    }
    return next;
  }

  private int entry(int at) {
    int dimensions = in.getInt(at);
    int next = field(at, 4);
    Objects.checkIndex(dimensions, bytes.length);
    for (int i = 0; i < dimensions; i++) next = field(next, 8);
    return field(field(next, 4), 8);
  }
}
