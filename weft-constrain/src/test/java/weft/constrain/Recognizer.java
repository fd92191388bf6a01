package weft.constrain;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * A slow recognizer: for each part and each place in a text, where what the part stands for may
 * end; what is found is used to find more, until nothing changes.
 */
final class Recognizer {
  private final Grammar grammar;
  private String text = "";
  private Map<String, BitSet> ends = new HashMap<>();
  private boolean isChanged;

  Recognizer(Grammar grammar) {
    this.grammar = grammar;
  }

  boolean accepts(String whole) {
    text = whole;
    ends = new HashMap<>();
    BitSet found;
    do {
      isChanged = false;
      found = rule(grammar.start(), 0);
      for (var rule : grammar.rules()) {
        for (int at = 0; at <= text.length(); at++) update(rule, at);
      }
    } while (isChanged);
    found = rule(grammar.start(), 0);
    return found.get(text.length());
  }

  private void update(Grammar.Rule rule, int at) {
    var known = rule(rule, at);
    var more = part(grammar.part(rule), at);
    int before = known.cardinality();
    known.or(more);
    isChanged |= known.cardinality() > before;
  }

  private BitSet rule(Grammar.Rule rule, int at) {
    return ends.computeIfAbsent(rule.index() + "@" + at, _ -> new BitSet());
  }

  private BitSet part(Part part, int at) {
    var found = new BitSet();
    switch (part) {
      case Part.Lexeme(var regex) -> found.or(regex(regex, at));
      case Part.Sequence(var parts) -> {
        found.set(at);
        for (var p : parts) {
          var next = new BitSet();
          found.stream().forEach(from -> next.or(part(p, from)));
          found = next;
        }
      }
      case Part.Choice(var parts) -> {
        for (var p : parts) found.or(part(p, at));
      }
      case Part.Repeat(var inner, int least, int greatest) -> {
        var level = new BitSet();
        level.set(at);
        if (least == 0) found.or(level);
        for (int count = 1; count <= Math.min(greatest, text.length() + least + 1); count++) {
          var next = new BitSet();
          level.stream().forEach(from -> next.or(part(inner, from)));
          level = next;
          if (count >= least) found.or(level);
        }
      }
      case Part.Reference(var rule) -> found.or(rule(rule, at));
    }
    return found;
  }

  private BitSet regex(Regex regex, int at) {
    var found = new BitSet();
    switch (regex) {
      case Regex.Characters(var set) -> {
        if (at < text.length() && set.contains(text.charAt(at))) found.set(at + 1);
      }
      case Regex.Text(var literal) -> {
        if (text.startsWith(literal, at)) found.set(at + literal.length());
      }
      case Regex.Sequence(var parts) -> {
        found.set(at);
        for (var p : parts) {
          var next = new BitSet();
          found.stream().forEach(from -> next.or(regex(p, from)));
          found = next;
        }
      }
      case Regex.AnyOf(var parts) -> {
        for (var p : parts) found.or(regex(p, at));
      }
      case Regex.AllOf(var parts) -> {
        found.set(at, text.length() + 1);
        for (var p : parts) found.and(regex(p, at));
      }
      case Regex.Not(var p) -> {
        found.set(at, text.length() + 1);
        found.andNot(regex(p, at));
      }
      case Regex.Repeat(var inner, int least, int greatest) -> {
        var level = new BitSet();
        level.set(at);
        if (least == 0) found.or(level);
        for (int count = 1; count <= Math.min(greatest, text.length() + least + 1); count++) {
          var next = new BitSet();
          level.stream().forEach(from -> next.or(regex(inner, from)));
          level = next;
          if (count >= least) found.or(level);
        }
      }
    }
    return found;
  }
}
