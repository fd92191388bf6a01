package weft.constrain.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.constrain.Regex;
import weft.unicode.CodePointSet;

/**
 * Asks expressions whether they match a text, and whether they match any: by Brzozowski's
 * derivatives, a character at a time, over nodes of which equal ones are one object. Of one thread.
 */
final class Walks {
  /** Beyond so many derivatives, or so many characters to try, an expression is taken to match. */
  private static final int LOOKS = 200;

  private static final int SAMPLES = 256;

  private enum Kind {
    CHARACTERS,
    TEXT,
    SEQUENCE,
    ANY,
    ALL,
    NOT,
    REPEAT
  }

  /** What a node is made of; its parts are compared as objects. */
  private record Key(
      Kind kind, CodePointSet set, String text, List<Node> parts, int least, int greatest) {}

  /** An expression, one object for all that are built alike. */
  private static final class Node {
    private final Key key;
    private final boolean takesNothing;
    private final boolean surelyMatches;
    private final Map<Integer, Node> after = new HashMap<>();

    private Node(Key key) {
      this.key = key;
      this.takesNothing =
          switch (key.kind) {
            case CHARACTERS -> false;
            case TEXT -> key.text.isEmpty();
            case SEQUENCE, ALL -> key.parts.stream().allMatch(part -> part.takesNothing);
            case ANY -> key.parts.stream().anyMatch(part -> part.takesNothing);
            case NOT -> !key.parts.getFirst().takesNothing;
            case REPEAT -> key.least == 0 || key.parts.getFirst().takesNothing;
          };
      this.surelyMatches =
          switch (key.kind) {
            case CHARACTERS -> key.set.rangeCount() > 0;
            case TEXT -> true;
            case SEQUENCE -> key.parts.stream().allMatch(part -> part.surelyMatches);
            case ANY -> key.parts.stream().anyMatch(part -> part.surelyMatches);
            case ALL, NOT -> takesNothing;
            case REPEAT -> key.least == 0 || key.parts.getFirst().surelyMatches;
          };
    }
  }

  private final Effort effort;
  private final Map<Key, Node> nodes = new HashMap<>();
  private final Map<Regex, Node> read = new IdentityHashMap<>();
  private final Map<Node, Boolean> empty = new HashMap<>();
  private final Node nothing = node(Kind.ANY, List.of());
  private final Node everything = node(Kind.NOT, List.of(nothing));
  private final Node emptyText = text("");

  Walks(Effort effort) {
    this.effort = effort;
  }

  boolean matches(Regex regex, String text) {
    var node = read(regex);
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      node = after(node, text.codePointAt(i));
      if (node == nothing) return false;
    }
    return node.takesNothing;
  }

  /** Where matches end that start at a position of a text. */
  Set<Integer> ends(Regex regex, String text, int start) {
    var ends = new HashSet<Integer>();
    var node = read(regex);
    for (int i = start; node != nothing; i += Character.charCount(text.codePointAt(i))) {
      if (node.takesNothing) ends.add(i);
      if (i == text.length()) break;
      node = after(node, text.codePointAt(i));
    }
    return ends;
  }

  /** Whether an expression surely matches no text. */
  boolean isEmpty(Regex regex) {
    var node = read(regex);
    if (node.surelyMatches) return false;
    var known = empty.get(node);
    if (known != null) return known;
    boolean is = search(node);
    empty.put(node, is);
    return is;
  }

  private boolean search(Node start) {
    var seen = new HashSet<Node>();
    var open = new ArrayList<Node>();
    open.add(start);
    seen.add(start);
    while (!open.isEmpty()) {
      // The newest first: what is deep in an expression is nearer to its end.
      var next = open.removeLast();
      if (next.surelyMatches || seen.size() > LOOKS) return false;
      var samples = new LinkedHashSet<Integer>();
      samples.add(0);
      var single = new LinkedHashSet<Integer>();
      sample(next, samples, single, new HashSet<>());
      if (samples.size() > SAMPLES) return false;
      // Characters that stand alone come last, so first from the end: they lead out of loops.
      samples.removeAll(single);
      samples.addAll(single);
      for (int character : samples) {
        var rest = after(next, character);
        if (rest != nothing && seen.add(rest)) open.add(rest);
      }
    }
    return true;
  }

  /** Where the ranges begin that the first step of an expression tells apart, and those between. */
  private static void sample(Node node, Set<Integer> samples, Set<Integer> single, Set<Node> seen) {
    if (!seen.add(node) || samples.size() > SAMPLES) return;
    switch (node.key.kind) {
      case CHARACTERS -> {
        var set = node.key.set;
        if (set.single() >= 0) single.add(set.single());
        for (int i = 0; i < set.rangeCount(); i++) {
          samples.add(set.from(i));
          samples.add(Math.min(set.to(i) + 1, Character.MAX_CODE_POINT));
        }
      }
      case TEXT -> {
        if (!node.key.text.isEmpty()) {
          int first = node.key.text.codePointAt(0);
          single.add(first);
          samples.add(Math.min(first + 1, Character.MAX_CODE_POINT));
        }
      }
      case SEQUENCE -> {
        for (var part : node.key.parts) {
          sample(part, samples, single, seen);
          if (!part.takesNothing) break;
        }
      }
      case ANY, ALL, NOT, REPEAT ->
          node.key.parts.forEach(part -> sample(part, samples, single, seen));
    }
  }

  private Node read(Regex regex) {
    var known = read.get(regex);
    if (known != null) return known;
    effort.step();
    var node =
        switch (regex) {
          case Regex.Characters(CodePointSet set) -> characters(set);
          case Regex.Text(String text) -> text(text);
          case Regex.Sequence(List<Regex> parts) -> sequence(read(parts));
          case Regex.AnyOf(List<Regex> parts) -> any(read(parts));
          case Regex.AllOf(List<Regex> parts) -> all(read(parts));
          case Regex.Not(Regex part) -> not(read(part));
          case Regex.Repeat(Regex part, int least, int greatest) ->
              repeat(read(part), least, greatest);
        };
    read.put(regex, node);
    return node;
  }

  private List<Node> read(List<Regex> parts) {
    return parts.stream().map(this::read).toList();
  }

  private Node after(Node node, int character) {
    var known = node.after.get(character);
    if (known != null) return known;
    effort.enter();
    var rest = derive(node, character);
    effort.leave();
    node.after.put(character, rest);
    return rest;
  }

  /** What may follow a character. */
  private Node derive(Node node, int c) {
    var key = node.key;
    return switch (key.kind) {
      case CHARACTERS -> key.set.contains(c) ? emptyText : nothing;
      case TEXT ->
          !key.text.isEmpty() && key.text.codePointAt(0) == c
              ? text(key.text.substring(Character.charCount(c)))
              : nothing;
      case SEQUENCE -> {
        var ways = new ArrayList<Node>();
        for (int i = 0; i < key.parts.size(); i++) {
          var first = after(key.parts.get(i), c);
          if (first != nothing) {
            var way = new ArrayList<Node>();
            way.add(first);
            way.addAll(key.parts.subList(i + 1, key.parts.size()));
            ways.add(sequence(way));
          }
          if (!key.parts.get(i).takesNothing) break;
        }
        yield any(ways);
      }
      case ANY -> any(key.parts.stream().map(part -> after(part, c)).toList());
      case ALL -> all(key.parts.stream().map(part -> after(part, c)).toList());
      case NOT -> not(after(key.parts.getFirst(), c));
      case REPEAT -> {
        var part = key.parts.getFirst();
        int more = key.greatest == Regex.UNBOUNDED ? key.greatest : key.greatest - 1;
        yield sequence(List.of(after(part, c), repeat(part, Math.max(0, key.least - 1), more)));
      }
    };
  }

  private Node node(Key key) {
    return nodes.computeIfAbsent(key, Node::new);
  }

  private Node node(Kind kind, List<Node> parts) {
    return node(new Key(kind, CodePointSet.EMPTY, "", parts, 0, 0));
  }

  private Node characters(CodePointSet set) {
    return set.rangeCount() == 0
        ? nothing
        : node(new Key(Kind.CHARACTERS, set, "", List.of(), 0, 0));
  }

  private Node text(String text) {
    return node(new Key(Kind.TEXT, CodePointSet.EMPTY, text, List.of(), 0, 0));
  }

  private Node sequence(List<Node> parts) {
    var kept = new ArrayList<Node>();
    for (var part : parts) {
      if (part == nothing) return nothing;
      if (part.key.kind == Kind.SEQUENCE) kept.addAll(part.key.parts);
      else if (part != emptyText) kept.add(part);
    }
    if (kept.isEmpty()) return emptyText;
    return kept.size() == 1 ? kept.getFirst() : node(Kind.SEQUENCE, List.copyOf(kept));
  }

  private Node any(List<Node> parts) {
    var kept = new LinkedHashSet<Node>();
    for (var part : parts) {
      if (part == everything) return everything;
      if (part.key.kind == Kind.ANY) kept.addAll(part.key.parts);
      else kept.add(part);
    }
    return kept.size() == 1 ? kept.getFirst() : node(Kind.ANY, List.copyOf(kept));
  }

  private Node all(List<Node> parts) {
    var kept = new LinkedHashSet<Node>();
    for (var part : parts) {
      if (part == nothing) return nothing;
      if (part.key.kind == Kind.ALL) kept.addAll(part.key.parts);
      else if (part != everything) kept.add(part);
    }
    if (kept.isEmpty()) return everything;
    return kept.size() == 1 ? kept.getFirst() : node(Kind.ALL, List.copyOf(kept));
  }

  private Node not(Node part) {
    return part.key.kind == Kind.NOT ? part.key.parts.getFirst() : node(Kind.NOT, List.of(part));
  }

  private Node repeat(Node part, int least, int greatest) {
    if (greatest == 0 || part == emptyText) return emptyText;
    if (part == nothing) return least == 0 ? emptyText : nothing;
    if (least == 1 && greatest == 1) return part;
    return node(new Key(Kind.REPEAT, CodePointSet.EMPTY, "", List.of(part), least, greatest));
  }
}
