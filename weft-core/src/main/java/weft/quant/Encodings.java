package weft.quant;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The register of the encodings that weft reads: one constant and one line here each. */
public final class Encodings {
  public static final F32 F32 = new F32();
  public static final F16 F16 = new F16();
  public static final BF16 BF16 = new BF16();
  public static final Q8_0 Q8_0 = new Q8_0();
  public static final Q4_0 Q4_0 = new Q4_0();

  private static final List<Encoding> ALL = List.of(F32, F16, BF16, Q8_0, Q4_0);

  private static final Map<StorageType, Encoding> BY_TYPE = byType();

  private Encodings() {}

  public static List<Encoding> all() {
    return ALL;
  }

  /** The encoding that reads a storage type. */
  public static Optional<Encoding> of(StorageType type) {
    return Optional.ofNullable(BY_TYPE.get(type));
  }

  public static Optional<Encoding> byGgufId(int id) {
    return StorageType.byGgufId(id).flatMap(Encodings::of);
  }

  public static Optional<Encoding> byName(String name) {
    return StorageType.byName(name).flatMap(Encodings::of);
  }

  /** The names of all encodings, for messages. */
  public static List<String> names() {
    return ALL.stream().map(Encoding::name).toList();
  }

  private static Map<StorageType, Encoding> byType() {
    var map = new EnumMap<StorageType, Encoding>(StorageType.class);
    for (Encoding encoding : ALL) {
      map.put(encoding.type(), encoding);
    }
    return Collections.unmodifiableMap(map);
  }
}
