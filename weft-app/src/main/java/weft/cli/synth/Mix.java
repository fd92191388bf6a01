package weft.cli.synth;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.quant.Encoding;
import weft.quant.Encodings;
import weft.quant.StorageType;

/**
 * Which type each matrix of a checkpoint is stored in: one for all, or a mix as llama.cpp's
 * quantizer makes them, or any that is asked for.
 *
 * @param fileType the number of the mix in {@code general.file_type}
 * @param most most matrices: all of one type, or each of one of these
 * @param careful the output matrix, and half of those that errors hurt most
 */
public record Mix(String name, int fileType, List<StorageType> most, StorageType careful) {
  /** What {@code general.file_type} says of mixes without a number. */
  private static final int GUESSED = 1024;

  /** A mix of all block types, where neighbours that are multiplied together differ. */
  private static final String ANY = "ANY";

  private static final Map<String, Mix> ALL = new LinkedHashMap<>();

  static {
    pure(0, StorageType.F32);
    pure(1, StorageType.F16);
    pure(32, StorageType.BF16);
    pure(7, StorageType.Q8_0);
    pure(2, StorageType.Q4_0);
    pure(3, StorageType.Q4_1);
    pure(8, StorageType.Q5_0);
    pure(9, StorageType.Q5_1);
    pure(10, StorageType.Q2_K);
    pure(11, StorageType.Q3_K);
    pure(14, StorageType.Q4_K);
    pure(16, StorageType.Q5_K);
    pure(18, StorageType.Q6_K);
    pure(25, StorageType.IQ4_NL);
    pure(30, StorageType.IQ4_XS);
    pure(38, StorageType.MXFP4);
    mixed("Q4_K_M", 15, StorageType.Q4_K);
    mixed("Q5_K_M", 17, StorageType.Q5_K);
    ALL.put(ANY, new Mix(ANY, GUESSED, blockTypes(), StorageType.Q8_0));
  }

  private static void pure(int fileType, StorageType type) {
    ALL.put(type.name(), new Mix(type.name(), fileType, List.of(type), type));
  }

  private static void mixed(String name, int fileType, StorageType most) {
    ALL.put(name, new Mix(name, fileType, List.of(most), StorageType.Q6_K));
  }

  private static List<StorageType> blockTypes() {
    return ALL.values().stream()
        .map(Mix::careful)
        .filter(type -> type.blockValues() > 1)
        .distinct()
        .toList();
  }

  /** The names of all mixes; besides, there is any {@code MOST+CAREFUL} of two types. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  public static Optional<Mix> named(String name) {
    var types = name.split("\\+", 2);
    if (types.length == 1) return Optional.ofNullable(ALL.get(name));
    return single(types[0])
        .flatMap(most -> single(types[1]).map(careful -> of(name, most, careful)));
  }

  private static Optional<StorageType> single(String name) {
    return Optional.ofNullable(ALL.get(name)).map(Mix::careful).filter(t -> t.name().equals(name));
  }

  private static Mix of(String name, StorageType most, StorageType careful) {
    return new Mix(name, GUESSED, List.of(most), careful);
  }

  /** How a tensor of a checkpoint with so many layers is stored. */
  Encoding encoding(Blueprint.Part part, int layers) {
    return switch (part.role()) {
      case NORM, DECAY, BIAS, ROPE, SMALL -> Encodings.F32;
      case OUTPUT -> fitting(careful, part);
      case MATRIX -> fitting(isCareful(part.name(), layers) ? careful : most(part.name()), part);
    };
  }

  /** By its name alone, so that it does not depend on the other tensors. */
  private StorageType most(String tensor) {
    return most.get(Math.floorMod(tensor.hashCode(), most.size()));
  }

  /** Values and down projections, in the first and last eighth of layers and each third between. */
  private static boolean isCareful(String name, int layers) {
    if (!name.contains(".attn_v.") && !name.contains(".ffn_down")) return false;
    int layer = Integer.parseInt(name.substring(name.indexOf("blk.") + 4).split("\\.", 2)[0]);
    int eighth = layers / 8;
    return layer < eighth || layer >= 7 * eighth || (layer - eighth) % 3 == 2;
  }

  /** Rows that are no whole number of blocks take a type with shorter ones, as llama.cpp does. */
  private static Encoding fitting(StorageType type, Blueprint.Part part) {
    long row = part.shape().getLast();
    var fallbacks =
        List.of(
            type,
            type.blockBytes() * 8 / type.blockValues() > 5 ? StorageType.Q8_0 : StorageType.Q5_0,
            StorageType.F16);
    return fallbacks.stream()
        .filter(candidate -> row % candidate.blockValues() == 0)
        .findFirst()
        .flatMap(StorageType::encoding)
        .orElseThrow();
  }
}
