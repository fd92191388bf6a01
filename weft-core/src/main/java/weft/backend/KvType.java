package weft.backend;

import java.util.Arrays;
import java.util.Locale;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** How the keys and values of past tokens are stored. */
public enum KvType {
  F32(Encodings.F32),
  F16(Encodings.F16),
  Q8_0(Encodings.Q8_0);

  private final Encoding encoding;

  KvType(Encoding encoding) {
    this.encoding = encoding;
  }

  public Encoding encoding() {
    return encoding;
  }

  public static KvType named(String name) {
    return Arrays.stream(values())
        .filter(t -> t.name().equals(name.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new BackendException(
                    "no key-value type is called "
                        + name
                        + "; use one of "
                        + Arrays.toString(values()).toLowerCase(Locale.ROOT)));
  }
}
