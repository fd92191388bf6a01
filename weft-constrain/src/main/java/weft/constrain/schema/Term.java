package weft.constrain.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What a value is to be, as far as a schema and its keywords say it, not yet worked out. */
sealed interface Term {
  Term EVERYTHING = new Everything();
  Term NOTHING = new Nothing();

  record Everything() implements Term {}

  record Nothing() implements Term {}

  /** What a schema somewhere in the document allows; one object for each place. */
  final class Place implements Term {
    private final JsonNode schema;
    private final String pointer;
    private final Resource resource;

    Place(JsonNode schema, String pointer, Resource resource) {
      this.schema = schema;
      this.pointer = pointer;
      this.resource = resource;
    }

    JsonNode schema() {
      return schema;
    }

    /** Where it is in the document, as a JSON pointer behind a #. */
    String pointer() {
      return pointer;
    }

    /** The part of the document that its references are relative to. */
    Resource resource() {
      return resource;
    }
  }

  /** One value alone. */
  record Value(JsonNode value) implements Term {}

  record All(List<Term> terms) implements Term {}

  record Any(List<Term> terms) implements Term {}

  record Not(Term term) implements Term {}

  /** The first place that it speaks of, for messages. */
  default Optional<Place> place() {
    return switch (this) {
      case Place place -> Optional.of(place);
      case All(List<Term> terms) ->
          terms.stream().flatMap(term -> term.place().stream()).findFirst();
      case Any(List<Term> terms) ->
          terms.stream().flatMap(term -> term.place().stream()).findFirst();
      case Not(Term term) -> term.place();
      case Everything _, Nothing _, Value _ -> Optional.empty();
    };
  }

  /** What all terms allow; the order of properties is that of the terms. */
  static Term all(List<Term> terms) {
    var kept = new LinkedHashSet<Term>();
    for (var term : terms) {
      switch (term) {
        case Everything _ -> {}
        case Nothing nothing -> {
          return nothing;
        }
        case All(List<Term> within) -> kept.addAll(within);
        case Place _, Value _, Any _, Not _ -> kept.add(term);
      }
    }
    if (kept.isEmpty()) return EVERYTHING;
    return kept.size() == 1 ? kept.getFirst() : new All(new ArrayList<>(kept));
  }

  static Term all(Term a, Term b) {
    if (a instanceof Everything || a.equals(b)) return b;
    if (b instanceof Everything) return a;
    return all(List.of(a, b));
  }

  /** What any of the terms allows. */
  static Term any(List<Term> terms) {
    var kept = new LinkedHashSet<Term>();
    for (var term : terms) {
      switch (term) {
        case Everything everything -> {
          return everything;
        }
        case Nothing _ -> {}
        case Any(List<Term> within) -> kept.addAll(within);
        case Place _, Value _, All _, Not _ -> kept.add(term);
      }
    }
    if (kept.isEmpty()) return NOTHING;
    return kept.size() == 1 ? kept.getFirst() : new Any(new ArrayList<>(kept));
  }

  static Term not(Term term) {
    return switch (term) {
      case Everything _ -> NOTHING;
      case Nothing _ -> EVERYTHING;
      case Not(Term within) -> within;
      case Place _, Value _, All _, Any _ -> new Not(term);
    };
  }
}
