package weft.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** Reads metadata values of any type, arrays of arrays included. */
final class GgufValues {
  private static final int DEEPEST_NESTING = 4;
  private static final int MOST_NESTED_ARRAYS = 1 << 16;

  private final Cursor cursor;
  private int nestedArrays;

  GgufValues(Cursor cursor) {
    this.cursor = cursor;
  }

  MetadataValue read() {
    return value(type("value type"));
  }

  private MetadataValue value(ValueType type) {
    return switch (type) {
      case BOOL -> new MetadataValue.Flag(flag());
      case STRING ->
          new MetadataValue.Text(new String(cursor.text("value"), StandardCharsets.UTF_8));
      case ARRAY -> array(1);
      case FLOAT32, FLOAT64 -> new MetadataValue.Real(type, one(type).real(0));
      case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64 ->
          new MetadataValue.Whole(type, one(type).integer(0));
    };
  }

  private MetadataValue array(int depth) {
    var element = type("array element type");
    return switch (element) {
      case STRING -> new MetadataValue.Texts(texts());
      case ARRAY -> nested(depth);
      case BOOL -> new MetadataValue.Numbers(flags());
      case UINT8, INT8, UINT16, INT16, UINT32, INT32, UINT64, INT64, FLOAT32, FLOAT64 ->
          new MetadataValue.Numbers(
              numbers(element, cursor.count("array length", element.bytes().orElseThrow())));
    };
  }

  private MetadataValue.Nested nested(int depth) {
    if (depth >= DEEPEST_NESTING) {
      throw cursor.broken("arrays are nested more than " + DEEPEST_NESTING + " deep");
    }
    int count =
        cursor.count("array length", Integer.BYTES + cursor.countBytes(), MOST_NESTED_ARRAYS);
    nestedArrays += count;
    if (nestedArrays > MOST_NESTED_ARRAYS) {
      throw cursor.broken(
          "%d arrays within arrays, expected at most %d"
              .formatted(nestedArrays, MOST_NESTED_ARRAYS));
    }
    var arrays = new ArrayList<MetadataValue>(count);
    for (int i = 0; i < count; i++) {
      arrays.add(array(depth + 1));
    }
    return new MetadataValue.Nested(arrays);
  }

  private TextArray texts() {
    int count = cursor.count("array length", cursor.countBytes());
    long start = cursor.position();
    var ends = new int[count];
    for (int i = 0; i < count; i++) {
      cursor.skip(cursor.count("text length", 1), "text");
      ends[i] = (int) (cursor.position() - start);
    }
    return TextArray.behindLengths(cursor.since(start), cursor.lengths(), ends);
  }

  private NumberArray numbers(ValueType element, int count) {
    return new NumberArray(
        element, cursor.view((long) count * element.bytes().orElseThrow(), "array elements"));
  }

  private NumberArray flags() {
    var flags = numbers(ValueType.BOOL, cursor.count("array length", 1));
    for (int i = 0; i < flags.size(); i++) {
      checkFlag(flags.integer(i));
    }
    return flags;
  }

  private NumberArray one(ValueType type) {
    return new NumberArray(type, cursor.view(type.bytes().orElseThrow(), "value"));
  }

  private boolean flag() {
    int value = cursor.u8("value");
    checkFlag(value);
    return value == 1;
  }

  private void checkFlag(long value) {
    if (value > 1) {
      throw cursor.broken("a BOOL is " + value + ", expected 0 or 1");
    }
  }

  private ValueType type(String what) {
    long id = cursor.u32(what);
    return ValueType.byId(id)
        .orElseThrow(
            () -> cursor.broken("%s is %d, expected %s".formatted(what, id, ValueType.known())));
  }
}
