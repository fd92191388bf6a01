package weft.constrain.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import tools.jackson.databind.JsonNode;
import weft.constrain.Regex;

/**
 * Arrays of one shape: what each of the first items is, what the rest are, how many there are, of
 * how many more is said, and whether all differ.
 */
record ArrayShape(
    List<Term> first, Term rest, int least, int greatest, List<Count> counts, boolean distinct) {
  static final ArrayShape ALL =
      new ArrayShape(List.of(), Term.EVERYTHING, 0, Regex.UNBOUNDED, List.of(), false);

  /** So many of the items from a position on are of a term. */
  record Count(Term item, int from, int least, int greatest) {}

  ArrayShape {
    first = List.copyOf(first);
    counts = List.copyOf(counts);
  }

  static ArrayShape of(JsonNode array) {
    var first = new ArrayList<Term>();
    for (var item : array) first.add(new Term.Value(item));
    return new ArrayShape(first, Term.NOTHING, first.size(), first.size(), List.of(), false);
  }

  static ArrayShape sized(int least, int greatest) {
    return new ArrayShape(List.of(), Term.EVERYTHING, least, greatest, List.of(), false);
  }

  /** Arrays in which so many of the items from a position on are of a term. */
  static ArrayShape counted(Term item, int from, int least, int greatest) {
    if (greatest == 0) {
      var first = new ArrayList<Term>();
      for (int i = 0; i < from; i++) first.add(Term.EVERYTHING);
      return new ArrayShape(first, Term.not(item), 0, Regex.UNBOUNDED, List.of(), false);
    }
    return new ArrayShape(
        List.of(),
        Term.EVERYTHING,
        least == 0 ? 0 : Math.addExact(from, least),
        Regex.UNBOUNDED,
        List.of(new Count(item, from, least, greatest)),
        false);
  }

  /** What an item at a position is. */
  Term at(int index) {
    return index < first.size() ? first.get(index) : rest;
  }

  ArrayShape and(ArrayShape other) {
    var items = new ArrayList<Term>();
    for (int i = 0; i < Math.max(first.size(), other.first.size()); i++) {
      items.add(Term.all(at(i), other.at(i)));
    }
    var both = new LinkedHashSet<>(counts);
    both.addAll(other.counts);
    return new ArrayShape(
        items,
        Term.all(rest, other.rest),
        Math.max(least, other.least),
        Math.min(greatest, other.greatest),
        List.copyOf(both),
        distinct || other.distinct);
  }

  /** Shapes of the arrays that are not of this one. */
  List<ArrayShape> not() {
    if (distinct) {
      throw new Unplaced(
          "uniqueItems cannot be kept within not, oneOf or if: that would ask for an item twice");
    }
    var others = new ArrayList<ArrayShape>();
    if (least > 0) others.add(sized(0, least - 1));
    if (greatest < Regex.UNBOUNDED) others.add(sized(greatest + 1, Regex.UNBOUNDED));
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i) instanceof Term.Everything) continue;
      var items = new ArrayList<Term>();
      for (int j = 0; j < i; j++) items.add(Term.EVERYTHING);
      items.add(Term.not(first.get(i)));
      others.add(new ArrayShape(items, Term.EVERYTHING, i + 1, Regex.UNBOUNDED, List.of(), false));
    }
    if (!(rest instanceof Term.Everything)) {
      others.add(counted(Term.not(rest), first.size(), 1, Regex.UNBOUNDED));
    }
    for (var count : counts) {
      if (count.least > 0) others.add(counted(count.item, count.from, 0, count.least - 1));
      if (count.greatest < Regex.UNBOUNDED) {
        others.add(counted(count.item, count.from, count.greatest + 1, Regex.UNBOUNDED));
      }
    }
    return others;
  }
}
