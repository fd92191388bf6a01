package weft.format;

import java.util.List;

/**
 * One value of a checkpoint's metadata, with the type that the file gives it. A value, safe for all
 * threads.
 */
public sealed interface MetadataValue {
  /** The type in words, for listings and messages: {@code UINT32}, {@code STRING[262144]}. */
  String typeName();

  /** Lets the memory of a mapped array go, until it is read again. */
  default void unload() {}

  /** A whole number; a {@code UINT64} above {@link Long#MAX_VALUE} keeps its bits. */
  record Whole(ValueType type, long value) implements MetadataValue {
    public Whole {
      if (!type.isWhole()) {
        throw new IllegalArgumentException(type + " is not a type of whole numbers");
      }
    }

    @Override
    public String typeName() {
      return type.name();
    }
  }

  /** A floating-point number, exact in double precision. */
  record Real(ValueType type, double value) implements MetadataValue {
    public Real {
      if (!type.isReal()) {
        throw new IllegalArgumentException(type + " is not a floating-point type");
      }
    }

    @Override
    public String typeName() {
      return type.name();
    }
  }

  /** True or false. */
  record Flag(boolean value) implements MetadataValue {
    @Override
    public String typeName() {
      return ValueType.BOOL.name();
    }
  }

  /** A text; bytes of the file that are not UTF-8 have become U+FFFD. */
  record Text(String value) implements MetadataValue {
    @Override
    public String typeName() {
      return ValueType.STRING.name();
    }
  }

  /** An array whose elements are scalars other than texts. */
  record Numbers(NumberArray array) implements MetadataValue {
    @Override
    public String typeName() {
      return array.element() + "[" + array.size() + "]";
    }

    @Override
    public void unload() {
      MappedFile.unload(array.packed());
    }
  }

  /** An array of texts. */
  record Texts(TextArray array) implements MetadataValue {
    @Override
    public String typeName() {
      return ValueType.STRING + "[" + array.size() + "]";
    }

    @Override
    public void unload() {
      array.unload();
    }
  }

  /** An array of arrays. */
  record Nested(List<MetadataValue> arrays) implements MetadataValue {
    public Nested {
      arrays = List.copyOf(arrays);
    }

    @Override
    public String typeName() {
      return ValueType.ARRAY + "[" + arrays.size() + "]";
    }

    @Override
    public void unload() {
      arrays.forEach(MetadataValue::unload);
    }
  }
}
