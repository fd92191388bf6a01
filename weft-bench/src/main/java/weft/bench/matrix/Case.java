package weft.bench.matrix;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import weft.cpu.asm.Isa;

/** A script and the teams that play it. */
public record Case(Script script, Set<Integer> teams) {
  /** Around every power of two that something was ever cut at. */
  public static final SortedSet<Integer> LENGTHS =
      new TreeSet<>(
          List.of(1, 2, 15, 16, 17, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025));

  public static final SortedSet<Integer> BATCHES =
      new TreeSet<>(List.of(1, 2, 3, 4, 7, 8, 9, 16, 17, 33));

  /** What a long script of prompts of every length has. */
  private static final int RUN = 64;

  public Case {
    teams = Set.copyOf(teams);
  }

  /** Every length in every batch, and a sequence that grows over all lengths. */
  public static List<Case> product(
      SortedSet<Integer> lengths, SortedSet<Integer> batches, Set<Integer> teams) {
    var cases = new ArrayList<Case>();
    for (int length : lengths) {
      for (int batch : batches) cases.add(new Case(Script.batch(length, batch), teams));
    }
    cases.add(new Case(Script.growing(lengths), teams));
    return cases;
  }

  /** Both sides of what the code itself names as thresholds, for the teams that have them. */
  public static List<Case> thresholds(Slice slice, Isa isa, Collection<Integer> teams, int most) {
    SortedMap<Integer, Set<Integer>> byLength = new TreeMap<>();
    for (int team : teams) {
      for (int threshold : slice.thresholds(isa, team).upTo(most)) {
        for (int length = threshold - 1; length <= threshold + 1; length++) {
          byLength.computeIfAbsent(length, _ -> new TreeSet<>()).add(team);
        }
      }
    }
    var cases = new ArrayList<Case>();
    byLength.forEach((length, those) -> cases.add(new Case(Script.prompt(length), those)));
    return cases;
  }

  /** Every length there is: a threshold that nobody named is among them. */
  public static List<Case> everyLength(int most, Set<Integer> teams) {
    var cases = new ArrayList<Case>();
    for (int from = 1; from <= most; from += RUN) {
      int to = Math.min(most, from + RUN - 1);
      cases.add(new Case(Script.everyLength(from, to), teams));
    }
    return cases;
  }
}
