package weft.constrain.schema;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import weft.constrain.Grammar;
import weft.constrain.Part;

/**
 * Tells whether a text is of a grammar by trying every way to cut it; no grammar of ours recurses
 * on its left.
 */
final class SlowReader {
  private final Grammar grammar;
  private final Walks walks = new Walks(Effort.unlimited());

  SlowReader(Grammar grammar) {
    this.grammar = grammar;
  }

  boolean accepts(String text) {
    return new Reading(text).ends(grammar.part(grammar.start()), 0).contains(text.length());
  }

  /** The longest start of a text that ends where a lexeme does. */
  int furthest(String text) {
    var reading = new Reading(text);
    reading.ends(grammar.part(grammar.start()), 0);
    return reading.known.values().stream()
        .flatMap(ends -> ends.values().stream())
        .flatMap(Set::stream)
        .mapToInt(Integer::intValue)
        .max()
        .orElse(0);
  }

  private final class Reading {
    private final String text;
    private final Map<Part, Map<Integer, Set<Integer>>> known = new IdentityHashMap<>();

    Reading(String text) {
      this.text = text;
    }

    Set<Integer> ends(Part part, int start) {
      var byStart = known.computeIfAbsent(part, _ -> new HashMap<>());
      var cached = byStart.get(start);
      if (cached != null) return cached;
      var ends =
          switch (part) {
            case Part.Lexeme(var regex) -> walks.ends(regex, text, start);
            case Part.Reference(var rule) -> ends(grammar.part(rule), start);
            case Part.Choice(var parts) -> {
              var all = new HashSet<Integer>();
              for (var one : parts) all.addAll(ends(one, start));
              yield all;
            }
            case Part.Sequence(var parts) -> {
              Set<Integer> here = Set.of(start);
              for (var one : parts) {
                var next = new HashSet<Integer>();
                for (int from : here) next.addAll(ends(one, from));
                here = next;
              }
              yield here;
            }
            case Part.Repeat(var one, int least, int greatest) -> {
              var all = new TreeSet<Integer>();
              Set<Integer> here = Set.of(start);
              if (least == 0) all.add(start);
              for (int i = 1; i <= greatest && !here.isEmpty(); i++) {
                var next = new HashSet<Integer>();
                for (int from : here) next.addAll(ends(one, from));
                if (i >= least && !all.addAll(next)) break;
                here = next;
              }
              yield all;
            }
          };
      byStart.put(start, ends);
      return ends;
    }
  }
}
