package weft.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import weft.input.SmallInput;

/**
 * The memory of this machine as its system says it, the bounds of a control group included. A
 * value, safe for all threads.
 *
 * @param total bytes that there are; empty where the system does not say
 * @param available bytes that can be had without swapping; empty where the system does not say
 */
public record MachineMemory(OptionalLong total, OptionalLong available) {
  private static final Path SYSTEM = Path.of("/proc/meminfo");
  private static final Path GROUP = Path.of("/sys/fs/cgroup");
  private static final int LARGEST_FILE = 1 << 20;

  /** As it is now. */
  public static MachineMemory now() {
    var text = text(SYSTEM);
    var limit = number(text(GROUP.resolve("memory.max")));
    var used = number(text(GROUP.resolve("memory.current")));
    // What a group has read from files can be dropped for it, as on the whole machine.
    var cached = entry("file (\\d+)", text(GROUP.resolve("memory.stat")), 1);
    var total = entry("MemTotal: +(\\d+) kB", text, 1024);
    var available = entry("MemAvailable: +(\\d+) kB", text, 1024);
    if (limit.isEmpty() || used.isEmpty()) return new MachineMemory(total, available);
    long free = limit.getAsLong() - used.getAsLong() + cached.orElse(0);
    return new MachineMemory(least(total, limit.getAsLong()), least(available, Math.max(0, free)));
  }

  private static OptionalLong least(OptionalLong known, long bound) {
    return OptionalLong.of(Math.min(known.orElse(bound), bound));
  }

  private static OptionalLong number(String text) {
    return text.strip().matches("\\d{1,18}")
        ? OptionalLong.of(Long.parseLong(text.strip()))
        : OptionalLong.empty();
  }

  private static OptionalLong entry(String pattern, String text, long unit) {
    var found = Pattern.compile("^" + pattern, Pattern.MULTILINE).matcher(text);
    return found.find()
        ? OptionalLong.of(Long.parseLong(found.group(1)) * unit)
        : OptionalLong.empty();
  }

  /** Nothing where there is no such file. */
  private static String text(Path file) {
    try {
      return SmallInput.text(file, SmallInput.file(file, LARGEST_FILE));
    } catch (IOException e) {
      return "";
    }
  }
}
