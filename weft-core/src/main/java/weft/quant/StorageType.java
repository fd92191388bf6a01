package weft.quant;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every type a checkpoint may store a tensor in, with its number in GGUF and the size of its
 * blocks; those that weft can also compute with have an {@link Encoding}.
 *
 * <p>Names are the spelling of ggml and of safetensors, which agree where both have the type.
 */
public enum StorageType {
  F32(0, 1, 4),
  F16(1, 1, 2),
  Q4_0(2, 32, 18),
  Q4_1(3, 32, 20),
  Q5_0(6, 32, 22),
  Q5_1(7, 32, 24),
  Q8_0(8, 32, 34),
  Q8_1(9, 32, 36),
  Q2_K(10, 256, 84),
  Q3_K(11, 256, 110),
  Q4_K(12, 256, 144),
  Q5_K(13, 256, 176),
  Q6_K(14, 256, 210),
  Q8_K(15, 256, 292),
  IQ2_XXS(16, 256, 66),
  IQ2_XS(17, 256, 74),
  IQ3_XXS(18, 256, 98),
  IQ1_S(19, 256, 50),
  IQ4_NL(20, 32, 18),
  IQ3_S(21, 256, 110),
  IQ2_S(22, 256, 82),
  IQ4_XS(23, 256, 136),
  I8(24, 1, 1),
  I16(25, 1, 2),
  I32(26, 1, 4),
  I64(27, 1, 8),
  F64(28, 1, 8),
  IQ1_M(29, 256, 56),
  BF16(30, 1, 2),
  TQ1_0(34, 256, 54),
  TQ2_0(35, 256, 66),
  MXFP4(39, 32, 17),
  NVFP4(40, 64, 36),
  Q1_0(41, 128, 18),
  Q2_0(42, 64, 18),
  BOOL(1, 1),
  U8(1, 1),
  U16(1, 2),
  U32(1, 4),
  U64(1, 8),
  F8_E4M3(1, 1),
  F8_E5M2(1, 1),
  F8_E8M0(1, 1),
  F8_E4M3FNUZ(1, 1),
  F8_E5M2FNUZ(1, 1),
  F6_E2M3(4, 3),
  F6_E3M2(4, 3),
  F4(2, 1),
  C64(1, 8);

  private static final int NOT_IN_GGUF = -1;

  private static final Map<Integer, StorageType> BY_GGUF_ID =
      Arrays.stream(values())
          .filter(type -> type.ggufId != NOT_IN_GGUF)
          .collect(Collectors.toUnmodifiableMap(type -> type.ggufId, Function.identity()));

  private static final Map<String, StorageType> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(StorageType::name, Function.identity()));

  private final int ggufId;
  private final int blockValues;
  private final int blockBytes;

  StorageType(int blockValues, int blockBytes) {
    this(-1, blockValues, blockBytes);
  }

  StorageType(int ggufId, int blockValues, int blockBytes) {
    this.ggufId = ggufId;
    this.blockValues = blockValues;
    this.blockBytes = blockBytes;
  }

  public static Optional<StorageType> byGgufId(int id) {
    return Optional.ofNullable(BY_GGUF_ID.get(id));
  }

  public static Optional<StorageType> byName(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** The number of this type in a GGUF file, for the types that GGUF has. */
  public OptionalInt ggufId() {
    return ggufId == NOT_IN_GGUF ? OptionalInt.empty() : OptionalInt.of(ggufId);
  }

  public int blockValues() {
    return blockValues;
  }

  public int blockBytes() {
    return blockBytes;
  }

  /** The bytes that {@code values} numbers, a whole number of blocks, take. */
  public long bytes(long values) {
    if (values < 0 || values % blockValues != 0) {
      throw new QuantException(
          values + " values are not a whole number of " + name() + " blocks of " + blockValues);
    }
    return Math.multiplyExact(values / blockValues, (long) blockBytes);
  }

  /** The encoding that reads this type, where weft has one. */
  public Optional<Encoding> encoding() {
    return Encodings.of(this);
  }
}
