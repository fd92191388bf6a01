package weft.text.tokenizer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.text.tokenizer.GgufVocabulary.Flag;
import weft.text.tokenizer.GgufVocabulary.Role;

/** Just enough of a GGUF reader to get at the vocabulary of trusted test files. */
final class GgufMetadata {
  private final ByteBuffer in;

  private GgufMetadata(byte[] file) {
    this.in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  static GgufVocabulary vocabulary(byte[] file) {
    Map<String, Object> all = new GgufMetadata(file).read();
    var ids = new EnumMap<Role, Integer>(Role.class);
    for (Role role : Role.values()) {
      if (all.get(role.key()) instanceof Number id) {
        ids.put(role, id.intValue());
      }
    }
    var flags = new EnumMap<Flag, Boolean>(Flag.class);
    for (Flag flag : Flag.values()) {
      if (all.get(flag.key()) instanceof Boolean value) {
        flags.put(flag, value);
      }
    }
    List<String> tokens = strings(all, "tokenizer.ggml.tokens");
    List<?> types = (List<?>) all.getOrDefault("tokenizer.ggml.token_type", List.of());
    List<?> scores = (List<?>) all.getOrDefault("tokenizer.ggml.scores", List.of());
    float[] scoreArray = new float[scores.size()];
    for (int i = 0; i < scoreArray.length; i++) {
      scoreArray[i] = ((Number) scores.get(i)).floatValue();
    }
    return new GgufVocabulary(
        (String) all.get("tokenizer.ggml.model"),
        (String) all.getOrDefault("tokenizer.ggml.pre", ""),
        tokens,
        types.stream().mapToInt(type -> ((Number) type).intValue()).toArray(),
        scoreArray,
        strings(all, "tokenizer.ggml.merges"),
        ids,
        flags,
        new byte[0]);
  }

  private static List<String> strings(Map<String, Object> all, String key) {
    return ((List<?>) all.getOrDefault(key, List.of())).stream().map(String.class::cast).toList();
  }

  private Map<String, Object> read() {
    in.position(16);
    long count = in.getLong();
    var values = new HashMap<String, Object>();
    for (long i = 0; i < count; i++) {
      String key = string();
      values.put(key, value(in.getInt()));
    }
    return values;
  }

  private Object value(int type) {
    return switch (type) {
      case 0, 1 -> (int) in.get();
      case 2, 3 -> (int) in.getShort();
      case 4, 5 -> in.getInt();
      case 6 -> in.getFloat();
      case 7 -> in.get() != 0;
      case 8 -> string();
      case 9 -> {
        int element = in.getInt();
        long count = in.getLong();
        var list = new ArrayList<Object>();
        for (long i = 0; i < count; i++) {
          list.add(value(element));
        }
        yield list;
      }
      case 10, 11 -> in.getLong();
      case 12 -> in.getDouble();
      default -> throw new IllegalArgumentException("GGUF type " + type);
    };
  }

  private String string() {
    byte[] bytes = new byte[Math.toIntExact(in.getLong())];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
