package weft.cuda;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What of the kit runs where: a sample by the day's seed on the interpreter, or all of it. */
final class KitSettings {
  private KitSettings() {}

  /** "interpreted", or "cuda" for a GPU of this machine. */
  static String backend() {
    return System.getProperty("weft.cuda.backend", "interpreted");
  }

  /** The same, with a queue that is worked off as late as can be where it is ours. */
  static String late() {
    return backend().equals("interpreted") ? "late" : backend();
  }

  private static boolean isWhole() {
    return Boolean.getBoolean("weft.cuda.all");
  }

  /**
   * All, or so many that the day's seed chooses; {@code -Dweft.cuda.seed=N} repeats a day. Of all,
   * {@code -Dweft.cuda.share=I/N} leaves every N-th from the I-th on, for a process of several.
   */
  static <T> List<T> chosen(List<T> all, int count) {
    if (isWhole()) {
      var share = System.getProperty("weft.cuda.share", "0/1").split("/");
      int first = Integer.parseInt(share[0]);
      int step = Integer.parseInt(share[1]);
      return IntStream.range(0, all.size())
          .filter(i -> i % step == first)
          .mapToObj(all::get)
          .toList();
    }
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
