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
  public static final F64 F64 = new F64();
  public static final F8_E4M3 F8_E4M3 = new F8_E4M3();
  public static final F8_E5M2 F8_E5M2 = new F8_E5M2();
  public static final Q8_0 Q8_0 = new Q8_0();
  public static final Q4_0 Q4_0 = new Q4_0();
  public static final Q4_1 Q4_1 = new Q4_1();
  public static final Q5_0 Q5_0 = new Q5_0();
  public static final Q5_1 Q5_1 = new Q5_1();
  public static final Q2_K Q2_K = new Q2_K();
  public static final Q3_K Q3_K = new Q3_K();
  public static final Q4_K Q4_K = new Q4_K();
  public static final Q5_K Q5_K = new Q5_K();
  public static final Q6_K Q6_K = new Q6_K();
  public static final IQ4_NL IQ4_NL = new IQ4_NL();
  public static final IQ4_XS IQ4_XS = new IQ4_XS();
  public static final IQ3_S IQ3_S = new IQ3_S();
  public static final MXFP4 MXFP4 = new MXFP4();
  public static final TQ1_0 TQ1_0 = new TQ1_0();
  public static final TQ2_0 TQ2_0 = new TQ2_0();

  private static final List<Encoding> ALL =
      List.of(
          F32, F16, BF16, F64, F8_E4M3, F8_E5M2, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, Q4_K,
          Q5_K, Q6_K, IQ4_NL, IQ4_XS, IQ3_S, MXFP4, TQ1_0, TQ2_0);

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
