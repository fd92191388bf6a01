package weft.load;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import weft.compile.Divide;
import weft.ir.Graph;
import weft.lir.Stored;

/**
 * A model's graph as each member of a mesh has it, and what is to be said of that.
 *
 * @param graph of one device, all of it
 */
record Cut(Graph graph, List<String> remarks) {
  Cut(Graph model, int members, Stored weights) {
    this(members == 1 ? whole(model) : new Divide(members, weights).divide(model), members);
  }

  private Cut(Divide.Division division, int members) {
    this(division.graph(), sentences(division.left(), members));
  }

  private static Divide.Division whole(Graph model) {
    return new Divide.Division(model, Map.of());
  }

  /** Layers are alike, so a few sentences say it of all. */
  private static List<String> sentences(Map<String, String> left, int members) {
    var weights = new TreeMap<String, Set<String>>();
    left.forEach(
        (weight, why) ->
            weights.computeIfAbsent(why, _ -> new TreeSet<>()).add(LaunchText.shortName(weight)));
    return weights.entrySet().stream()
        .map(
            each ->
                "all of what %s reads is on each of %d devices: %s"
                    .formatted(String.join(", ", each.getValue()), members, each.getKey()))
        .toList();
  }
}
