package weft.cuda;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What of the kit runs where: a sample by the day's seed on the interpreter, or all of it. */
final class KitSettings {
  private KitSettings() {}

  /** "interpreted", or "cuda" for a GPU of this machine. */
  static String backend() {
    return System.getProperty("weft.cuda.backend", "interpreted");
  }

  private static boolean isWhole() {
    return Boolean.getBoolean("weft.cuda.all");
  }

  /** All, or so many that the day's seed chooses; {@code -Dweft.cuda.seed=N} repeats a day. */
  static <T> List<T> chosen(List<T> all, int count) {
    if (isWhole()) return all;
    long seed = Long.getLong("weft.cuda.seed", LocalDate.now().toEpochDay());
    var shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, new Random(seed));
    return shuffled.subList(0, Math.min(count, shuffled.size()));
  }

  /** The rest of the kit, which takes longer than a build has. */
  static boolean hasTime() {
    return isWhole();
  }
}
