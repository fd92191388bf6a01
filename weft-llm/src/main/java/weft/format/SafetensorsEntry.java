package weft.format;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import weft.quant.QuantException;
import weft.quant.StorageType;

/** One tensor of a safetensors header; its byte range is as long as its shape and type say. */
record SafetensorsEntry(String name, StorageType type, List<Long> shape, long from, long to) {
  private static final int MOST_DIMENSIONS = 16;

  private static final Set<StorageType> DTYPES =
      EnumSet.of(
          StorageType.BOOL,
          StorageType.U8,
          StorageType.U16,
          StorageType.U32,
          StorageType.U64,
          StorageType.I8,
          StorageType.I16,
          StorageType.I32,
          StorageType.I64,
          StorageType.F4,
          StorageType.F6_E2M3,
          StorageType.F6_E3M2,
          StorageType.F8_E4M3,
          StorageType.F8_E5M2,
          StorageType.F8_E8M0,
          StorageType.F8_E4M3FNUZ,
          StorageType.F8_E5M2FNUZ,
          StorageType.F16,
          StorageType.BF16,
          StorageType.F32,
          StorageType.F64,
          StorageType.C64);

  static SafetensorsEntry read(JsonReader reader, String name) {
    return new Fields(reader, name).read();
  }

  /** The fields of the entry, in whatever order the header gives them. */
  private static final class Fields {
    private final JsonReader reader;
    private final String name;
    private final String place;
    private Optional<StorageType> type = Optional.empty();
    private Optional<List<Long>> shape = Optional.empty();
    private Optional<List<Long>> offsets = Optional.empty();

    Fields(JsonReader reader, String name) {
      this.reader = reader;
      this.name = name;
      this.place = "tensor " + Quoted.text(name);
    }

    SafetensorsEntry read() {
      reader.object(place, this::field);
      var entryType = type.orElseThrow(() -> broken("no dtype"));
      var entryShape = shape.orElseThrow(() -> broken("no shape"));
      var range = offsets.orElseThrow(() -> broken("no data_offsets"));
      if (range.size() != 2 || range.getFirst() > range.getLast()) {
        throw broken("data_offsets are %s, expected a start and an end".formatted(range));
      }
      long met = range.getLast() - range.getFirst();
      long expected = byteSize(entryType, entryShape);
      if (met != expected) {
        throw broken(
            "data_offsets %s hold %d bytes, but shape %s of %s takes %d"
                .formatted(range, met, entryShape, entryType, expected));
      }
      return new SafetensorsEntry(name, entryType, entryShape, range.getFirst(), range.getLast());
    }

    private void field(String field) {
      switch (field) {
        case "dtype" -> type = Optional.of(dtype());
        case "shape" -> shape = Optional.of(sizes(field, MOST_DIMENSIONS));
        case "data_offsets" -> offsets = Optional.of(sizes(field, 2));
        default -> reader.skip();
      }
    }

    private StorageType dtype() {
      var dtype = reader.string(place + ": dtype");
      return StorageType.byName(dtype)
          .filter(DTYPES::contains)
          .orElseThrow(
              () ->
                  broken("dtype is %s, expected one of %s".formatted(Quoted.text(dtype), DTYPES)));
    }

    private List<Long> sizes(String field, int most) {
      var sizes = new ArrayList<Long>();
      reader.array(
          place + ": " + field,
          () -> {
            if (sizes.size() == most) {
              throw broken("%s has more than %d numbers".formatted(field, most));
            }
            sizes.add(reader.size(place + ": " + field));
          });
      return sizes;
    }

    private long byteSize(StorageType entryType, List<Long> entryShape) {
      try {
        return entryType.bytes(StoredTensor.values(entryShape));
      } catch (ArithmeticException _) {
        throw broken("shape %s of %s is more than 2^63 - 1 bytes".formatted(entryShape, entryType));
      } catch (QuantException e) {
        throw broken("shape %s: %s".formatted(entryShape, e.getMessage()));
      }
    }

    private FormatException broken(String message) {
      return reader.broken(place + ": " + message);
    }
  }
}
