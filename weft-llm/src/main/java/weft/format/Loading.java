package weft.format;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a checkpoint's tensors are had, and so what may happen to its files meanwhile. */
public enum Loading {
  /** Mapped: read when used, shared with other processes; a change of the file ends its use. */
  MAP,
  /** Copied to memory of this process: nothing that happens to the file matters any more. */
  COPY,
  /** Mapped and kept resident: the disk may be slow or go away; a change still ends its use. */
  LOCK;

  /** The names that {@link #named} takes. */
  public static List<String> names() {
    return Arrays.stream(values()).map(way -> way.name().toLowerCase(Locale.ROOT)).toList();
  }

  public static Loading named(String name) {
    return Arrays.stream(values())
        .filter(way -> way.name().equals(name.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new FormatException("no way to load is called " + name + "; there are " + names()));
  }
}
