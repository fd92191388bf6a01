package weft.constrain.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.constrain.Part;

/**
 * Writes the objects of a shape: the properties known by name in their order, then the others.
 * Where they are counted, or something must be found among them, each count has rules of its own.
 * Of one thread.
 */
final class ObjectWriter {
  private static final int MOST_STATES = 20_000;
  private static final int MOST_SOME = 6;

  /** Up to so many required properties that are not declared may come in any order. */
  private static final int MOST_ANYWHERE = 4;

  private final RuleWriter writer;
  private final Meaning meaning;
  private final ObjectShape shape;
  private final List<Named> named = new ArrayList<>();
  private final List<Named> anywhere = new ArrayList<>();
  private final List<ObjectShape.Pattern> others;
  private final Map<State, Optional<Part>> states = new HashMap<>();
  private final int counted;

  private record Named(String name, Term value, boolean required) {}

  /** What follows in objects that are alike from a property on, which share the rule of it. */
  private record Tail(Named property, Part rest) {}

  /** How far an object is: the next property, how many there were, what has been found. */
  private record State(int next, int count, int found) {}

  ObjectWriter(RuleWriter writer, ObjectShape shape) {
    this.writer = writer;
    this.meaning = writer.meaning();
    this.shape = shape;
    for (var entry : shape.properties().entrySet()) {
      var property = entry.getValue();
      if (!property.required() && meaning.isEmpty(property.value())) continue;
      var name = new Named(entry.getKey(), property.value(), property.required());
      (property.required() && !property.declared() ? anywhere : named).add(name);
    }
    this.others = shape.others(meaning);
    if (anywhere.size() > MOST_ANYWHERE || anywhere.size() == 1 && others.isEmpty()) {
      named.addAll(anywhere);
      anywhere.clear();
    }
    int bounded = Meaning.isUnbounded(shape.greatest()) ? 0 : shape.greatest();
    this.counted = Math.max(1, Math.max(shape.least(), bounded));
  }

  /** The objects, unless there are none. */
  Optional<Part> write() {
    for (var required : List.of(named, anywhere)) {
      if (required.stream().anyMatch(n -> n.required && meaning.isEmpty(n.value))) {
        return Optional.empty();
      }
    }
    int sought = shape.some().size() + anywhere.size();
    boolean simple = shape.least() <= 1 && Meaning.isUnbounded(shape.greatest()) && sought == 0;
    boolean tooMany =
        shape.some().size() > MOST_SOME
            || (long) (named.size() + 1) * counted << sought > MOST_STATES;
    if (!simple && tooMany) {
      throw new Unplaced(
          "minProperties, maxProperties or not ask for too much to be counted of the "
              + named.size()
              + " properties of one object; ask for less");
    }
    var body = simple ? simple() : from(new State(0, 0, 0));
    return body.map(within -> Part.sequence(Json.OBJECT_START, within, Json.OBJECT_END));
  }

  private Optional<Part> simple() {
    var heads = new ArrayList<Part>();
    var tails = tails();
    boolean required = false;
    for (int i = 0; i < named.size() && !required; i++) {
      heads.add(Part.sequence(item(named.get(i), true), tails.get(i + 1)));
      required = named.get(i).required;
    }
    if (!required) {
      for (var other : others) heads.add(Part.sequence(item(other, true), tails.getLast()));
      if (shape.least() == 0) heads.add(Part.EMPTY);
    }
    if (heads.isEmpty()) return Optional.empty();
    return Optional.of(heads.size() == 1 ? heads.getFirst() : new Part.Choice(heads));
  }

  /** What may follow from each property on, where something stands before it. */
  private List<Part> tails() {
    var tails = new ArrayList<Part>();
    tails.add(others.isEmpty() ? Part.EMPTY : writer.once(others, this::rest));
    for (int i = named.size() - 1; i > 0; i--) {
      var property = named.get(i);
      var rest = tails.getFirst();
      tails.addFirst(writer.once(new Tail(property, rest), () -> tail(property, rest)));
    }
    // What follows when no property stands before is written with the heads.
    tails.addFirst(Part.EMPTY);
    return tails;
  }

  private Part rest() {
    var following = new ArrayList<Part>();
    for (var other : others) following.add(item(other, false));
    return (following.size() == 1 ? following.getFirst() : new Part.Choice(following)).many();
  }

  private Part tail(Named property, Part rest) {
    var item = item(property, false);
    var mine = property.required ? item : item.optional();
    return rest.equals(Part.EMPTY) ? mine : Part.sequence(mine, rest);
  }

  private Part item(Named property, boolean first) {
    return Part.sequence(Json.key(property.name, first), writer.part(property.value));
  }

  private Part item(ObjectShape.Pattern other, boolean first) {
    return Part.sequence(Json.key(other.keys(), first), writer.part(other.value()));
  }

  /**
   * What may follow in a state, unless nothing can; states that need little are written in place.
   */
  private Optional<Part> from(State state) {
    var known = states.get(state);
    if (known != null) return known;
    meaning.effort().enter();
    var part = state.next < named.size() ? property(state) : others(state);
    meaning.effort().leave();
    states.put(state, part);
    return part;
  }

  private Optional<Part> property(State state) {
    var property = named.get(state.next);
    var choices = new ArrayList<Part>();
    int count = state.count + 1;
    if (count <= shape.greatest()) {
      for (var way : ways(state, property)) choices.add(way);
    }
    if (!property.required)
      from(new State(state.next + 1, state.count, state.found)).ifPresent(choices::add);
    return shared(choices);
  }

  private List<Part> ways(State state, Named property) {
    var ways = new ArrayList<Part>();
    boolean first = state.count == 0;
    int count = Math.min(state.count + 1, counted);
    from(new State(state.next + 1, count, state.found))
        .ifPresent(rest -> ways.add(Part.sequence(item(property, first), rest)));
    for (int i = 0; i < shape.some().size(); i++) {
      var some = shape.some().get(i);
      if ((state.found >> i & 1) != 0 || !some.keys().contains(property.name, meaning.walks()))
        continue;
      var value = Term.all(property.value, some.value());
      if (meaning.isEmpty(value)) continue;
      var found = new Named(property.name, value, true);
      from(new State(state.next + 1, count, state.found | 1 << i))
          .ifPresent(rest -> ways.add(Part.sequence(item(found, first), rest)));
    }
    return ways;
  }

  private Optional<Part> others(State state) {
    var choices = new ArrayList<Part>();
    boolean all = state.found == (1 << shape.some().size() + anywhere.size()) - 1;
    boolean enough = state.count >= shape.least() && all;
    boolean more = state.count + 1 <= shape.greatest();
    int count = Math.min(state.count + 1, counted);
    boolean settled = count == state.count && Meaning.isUnbounded(shape.greatest());
    if (enough && settled) {
      var following = new ArrayList<Part>();
      for (var other : others) following.add(item(other, false));
      return Optional.of(following.isEmpty() ? Part.EMPTY : new Part.Choice(following).many());
    }
    if (enough) choices.add(Part.EMPTY);
    if (more) {
      for (var other : others) {
        if (!settled) {
          from(new State(state.next, count, state.found))
              .ifPresent(rest -> choices.add(Part.sequence(item(other, state.count == 0), rest)));
        }
        choices.addAll(finds(state, other, count));
      }
      for (int i = 0; i < anywhere.size(); i++) choices.addAll(required(state, i, count));
    }
    var part = shared(choices);
    if (!settled || part.isEmpty()) return part;
    if (others.isEmpty()) return part;
    var before = new ArrayList<Part>();
    for (var other : others) before.add(item(other, false));
    return Optional.of(Part.sequence(new Part.Choice(before).many(), part.get()));
  }

  /** A required property without a place of its own, if it has not been yet. */
  private List<Part> required(State state, int index, int count) {
    int bit = 1 << shape.some().size() + index;
    if ((state.found & bit) != 0) return List.of();
    var ways = new ArrayList<Part>();
    var property = anywhere.get(index);
    boolean first = state.count == 0;
    from(new State(state.next, count, state.found | bit))
        .ifPresent(rest -> ways.add(Part.sequence(item(property, first), rest)));
    for (int i = 0; i < shape.some().size(); i++) {
      var some = shape.some().get(i);
      var value = Term.all(property.value, some.value());
      if ((state.found >> i & 1) != 0
          || !some.keys().contains(property.name, meaning.walks())
          || meaning.isEmpty(value)) {
        continue;
      }
      var found = new Named(property.name, value, true);
      from(new State(state.next, count, state.found | bit | 1 << i))
          .ifPresent(rest -> ways.add(Part.sequence(item(found, first), rest)));
    }
    return ways;
  }

  private List<Part> finds(State state, ObjectShape.Pattern other, int count) {
    var ways = new ArrayList<Part>();
    for (int i = 0; i < shape.some().size(); i++) {
      if ((state.found >> i & 1) != 0) continue;
      var some = shape.some().get(i);
      var keys = other.keys().and(some.keys(), meaning.walks());
      var value = Term.all(other.value(), some.value());
      if (keys.isEmpty(meaning.walks()) || meaning.isEmpty(value)) continue;
      var found = new ObjectShape.Pattern(keys, value);
      from(new State(state.next, count, state.found | 1 << i))
          .ifPresent(rest -> ways.add(Part.sequence(item(found, state.count == 0), rest)));
    }
    return ways;
  }

  private Optional<Part> shared(List<Part> choices) {
    if (choices.isEmpty()) return Optional.empty();
    var part = choices.size() == 1 ? choices.getFirst() : new Part.Choice(choices);
    return Optional.of(
        part.equals(Part.EMPTY) ? part : writer.later("members", () -> part).reference());
  }
}
