package weft.constrain.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import weft.constrain.Part;
import weft.constrain.Regex;

/**
 * Writes the arrays of a shape. Items that must all differ can be told apart where they are a few
 * known values. Of one thread.
 */
final class ArrayWriter {
  private static final int MOST_STATES = 20_000;

  /**
   * Up to so many values, arrays without a repetition come in any order; beyond, in the schema's.
   */
  private static final int FREE_ORDER = 6;

  private final RuleWriter writer;
  private final Meaning meaning;
  private final ArrayShape shape;
  private final int greatest;
  private final int counted;
  private final Map<State, Optional<Part>> states = new HashMap<>();

  /** How far an array is: the next position, and how many of each count there were. */
  private record State(int next, List<Integer> counts) {}

  ArrayWriter(RuleWriter writer, ArrayShape shape) {
    this.writer = writer;
    this.meaning = writer.meaning();
    this.shape = shape;
    this.greatest = reachable(shape, meaning);
    int from = shape.counts().stream().mapToInt(ArrayShape.Count::from).max().orElse(0);
    int bounded = Meaning.isUnbounded(greatest) ? 0 : greatest;
    this.counted =
        Math.max(Math.max(shape.first().size(), shape.least()), Math.max(from, bounded)) + 1;
  }

  private static int reachable(ArrayShape shape, Meaning meaning) {
    int first = shape.first().size();
    for (int i = 0; i < Math.min(first, shape.greatest()); i++) {
      if (meaning.isEmpty(shape.first().get(i))) return i;
    }
    boolean ends = shape.greatest() > first && meaning.isEmpty(shape.rest());
    return ends ? first : shape.greatest();
  }

  /** The arrays, unless there are none. */
  Optional<Part> write() {
    if (greatest < shape.least()) return Optional.empty();
    Optional<Part> body;
    if (shape.distinct() && greatest > 1) body = distinct();
    else if (shape.counts().isEmpty()) body = Optional.of(simple());
    else {
      long size = counted;
      for (var count : shape.counts()) size *= cap(count) + 1L;
      if (size > MOST_STATES) {
        throw new Unplaced(
            "contains asks for more than can be counted together with minItems and maxItems;"
                + " use smaller counts");
      }
      body = from(new State(0, shape.counts().stream().map(_ -> 0).toList()));
    }
    return body.map(within -> Part.sequence(Json.ARRAY_START, within, Json.ARRAY_END));
  }

  private Part simple() {
    int first = shape.first().size();
    if (greatest == 0) return Part.EMPTY;
    if (first == 0) {
      var item = writer.part(shape.rest());
      var tail =
          Part.sequence(Json.NEXT, item)
              .repeat(
                  Math.max(0, shape.least() - 1),
                  Meaning.isUnbounded(greatest) ? greatest : greatest - 1);
      var items = Part.sequence(item, tail);
      return shape.least() == 0 ? items.optional() : items;
    }
    Part tail = Part.EMPTY;
    if (greatest > first) {
      tail =
          Part.sequence(Json.NEXT, writer.part(shape.rest()))
              .repeat(
                  Math.max(0, shape.least() - first),
                  Meaning.isUnbounded(greatest) ? greatest : greatest - first);
    }
    for (int i = Math.min(first, greatest) - 1; i >= 0; i--) {
      var item = writer.part(shape.first().get(i));
      var items = i == 0 ? Part.sequence(item, tail) : Part.sequence(Json.NEXT, item, tail);
      var rule = writer.later("items", () -> items).reference();
      tail = i < shape.least() ? rule : rule.optional();
    }
    return tail;
  }

  private static int cap(ArrayShape.Count count) {
    return Meaning.isUnbounded(count.greatest()) ? count.least() : count.greatest() + 1;
  }

  private Optional<Part> from(State state) {
    var known = states.get(state);
    if (known != null) return known;
    if (state.next == counted) {
      // Positions are not told apart any more, so the state leads back to itself.
      var rule = writer.later("items", () -> choice(choices(state)));
      states.put(state, Optional.of(rule.reference()));
      return Optional.of(rule.reference());
    }
    meaning.effort().enter();
    var choices = choices(state);
    meaning.effort().leave();
    var part = anyOf(choices);
    states.put(state, part);
    return part;
  }

  private static Part choice(List<Part> choices) {
    return choices.size() == 1 ? choices.getFirst() : new Part.Choice(choices);
  }

  private List<Part> choices(State state) {
    var choices = new ArrayList<Part>();
    boolean enough = state.next >= shape.least();
    for (int i = 0; i < shape.counts().size(); i++) {
      var count = shape.counts().get(i);
      enough &= state.counts.get(i) >= count.least() && state.counts.get(i) <= count.greatest();
    }
    if (enough) choices.add(Part.EMPTY);
    if (state.next < greatest) items(state, 0, shape.at(state.next), List.of(), choices);
    return choices;
  }

  /** An item that is of some of the counted terms and, where that matters, not of the others. */
  private void items(State state, int index, Term item, List<Integer> counts, List<Part> choices) {
    if (meaning.isEmpty(item)) return;
    if (index == shape.counts().size()) {
      int next = Math.min(state.next + 1, counted);
      from(new State(next, counts))
          .ifPresent(
              rest -> {
                var part = writer.part(item);
                choices.add(
                    state.next == 0
                        ? Part.sequence(part, rest)
                        : Part.sequence(Json.NEXT, part, rest));
              });
      return;
    }
    var count = shape.counts().get(index);
    int before = state.counts.get(index);
    if (state.next < count.from()) {
      items(state, index + 1, item, and(counts, before), choices);
      return;
    }
    boolean full = before == cap(count);
    if (Meaning.isUnbounded(count.greatest())) {
      items(state, index + 1, item, and(counts, before), choices);
      if (!full)
        items(state, index + 1, Term.all(item, count.item()), and(counts, before + 1), choices);
      return;
    }
    if (before < count.greatest()) {
      items(state, index + 1, Term.all(item, count.item()), and(counts, before + 1), choices);
    }
    items(state, index + 1, Term.all(item, Term.not(count.item())), and(counts, before), choices);
  }

  private static List<Integer> and(List<Integer> counts, int next) {
    var more = new ArrayList<>(counts);
    more.add(next);
    return List.copyOf(more);
  }

  private Optional<Part> distinct() {
    var values = values(meaning.shape(shape.rest()));
    if (!shape.first().isEmpty() || !shape.counts().isEmpty() || values.isEmpty()) {
      throw new Unplaced(
          "uniqueItems cannot be kept where items are not a few known values; leave it out, or list"
              + " the values under enum");
    }
    return values.get().size() <= FREE_ORDER
        ? anyOrder(values.get(), 0, new HashMap<>())
        : ordered(values.get());
  }

  /** The values of a shape, where they are a few known ones. */
  private static Optional<List<Regex>> values(Shape shape) {
    if (!shape.isPlain()) return Optional.empty();
    var values = new ArrayList<Regex>();
    if (shape.nulls()) values.add(Regex.text("null"));
    if (shape.trues()) values.add(Regex.text("true"));
    if (shape.falses()) values.add(Regex.text("false"));
    for (var band : Set.copyOf(shape.numbers().bands())) {
      if (!band.isPoint()) return Optional.empty();
      values.add(NumberSpelling.of(Numbers.of(band)));
    }
    if (!(shape.texts() instanceof Texts.Listed(Set<String> texts))) return Optional.empty();
    for (var text : texts) values.add(Regex.text('"' + Spelling.of(text) + '"'));
    return Optional.of(values);
  }

  /** What may follow when some of the values have been. */
  private Optional<Part> anyOrder(
      List<Regex> values, int used, Map<Integer, Optional<Part>> known) {
    var cached = known.get(used);
    if (cached != null) return cached;
    int count = Integer.bitCount(used);
    var choices = new ArrayList<Part>();
    if (count >= shape.least()) choices.add(Part.EMPTY);
    if (count < greatest) {
      for (int i = 0; i < values.size(); i++) {
        if ((used >> i & 1) != 0) continue;
        var value = values.get(i);
        anyOrder(values, used | 1 << i, known)
            .ifPresent(rest -> choices.add(item(value, count == 0, rest)));
      }
    }
    var part = anyOf(choices);
    known.put(used, part);
    return part;
  }

  /** Each value once or not at all, in the order in which the schema lists them. */
  private Optional<Part> ordered(List<Regex> values) {
    int cap = Math.max(1, Math.max(shape.least(), Meaning.isUnbounded(greatest) ? 0 : greatest));
    if ((long) values.size() * cap > MOST_STATES) {
      throw new Unplaced(
          "uniqueItems cannot be kept for "
              + values.size()
              + " values and so many items; use fewer");
    }
    return ordered(values, 0, 0, cap, new HashMap<>());
  }

  private Optional<Part> ordered(
      List<Regex> values, int next, int count, int cap, Map<List<Integer>, Optional<Part>> known) {
    var key = List.of(next, count);
    var cached = known.get(key);
    if (cached != null) return cached;
    var choices = new ArrayList<Part>();
    if (count >= shape.least()) choices.add(Part.EMPTY);
    if (count < cap || Meaning.isUnbounded(greatest)) {
      for (int i = next; i < values.size(); i++) {
        var value = values.get(i);
        ordered(values, i + 1, Math.min(cap, count + 1), cap, known)
            .ifPresent(rest -> choices.add(item(value, count == 0, rest)));
      }
    }
    var part = anyOf(choices);
    known.put(key, part);
    return part;
  }

  /** A value, and what follows it. */
  private static Part item(Regex value, boolean isFirst, Part rest) {
    return Part.sequence(Part.lexeme(isFirst ? value : Regex.sequence(Json.COMMA, value)), rest);
  }

  /** A rule for ways to go on, if there is one. */
  private Optional<Part> anyOf(List<Part> choices) {
    return choices.isEmpty()
        ? Optional.empty()
        : Optional.of(writer.later("items", () -> choice(choices)).reference());
  }
}
