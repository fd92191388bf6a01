package weft.constrain.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import weft.constrain.Regex;

/**
 * Which properties and items a schema and those it applies to the same value have looked at, so
 * that {@code unevaluatedProperties} and {@code unevaluatedItems} know what is left to them. That
 * depends on the value, so there is a case for each way in which it can come out. Of one thread.
 */
final class Evaluation {
  private static final int MOST_CASES = 64;

  private final Document document;
  private final Set<Term> working = new HashSet<>();

  /** What has been looked at, if a value is of a term. */
  private record Case(Term when, Seen seen) {
    Case and(Case other) {
      return new Case(Term.all(when, other.when), seen.and(other.seen));
    }
  }

  /** Keys by name and by pattern, and items up to a position. */
  private record Seen(Set<String> names, List<Texts> keys, int items) {
    static final Seen NOTHING = new Seen(Set.of(), List.of(), 0);

    Seen and(Seen other) {
      var allNames = new LinkedHashSet<>(names);
      allNames.addAll(other.names);
      var allKeys = new LinkedHashSet<>(keys);
      allKeys.addAll(other.keys);
      return new Seen(allNames, List.copyOf(allKeys), Math.max(items, other.items));
    }
  }

  Evaluation(Document document) {
    this.document = document;
  }

  /** What is left of a shape when what was not looked at has to be of a term. */
  Shape rest(Term.Place place, String keyword, Shape start, Meaning meaning) {
    var left = document.under(place, keyword);
    var shape = Shape.NOTHING;
    for (var one : cases(place, keyword)) {
      var within = meaning.and(start, meaning.shape(one.when));
      var others =
          keyword.equals("unevaluatedProperties")
              ? Shape.EVERYTHING.withObjects(List.of(keys(one.seen, left)))
              : Shape.EVERYTHING.withArrays(List.of(items(one.seen, left)));
      shape = shape.or(meaning.and(within, others));
    }
    return shape;
  }

  private static ObjectShape keys(Seen seen, Term left) {
    var patterns = new ArrayList<ObjectShape.Pattern>();
    patterns.add(new ObjectShape.Pattern(new Texts.Listed(seen.names), Term.EVERYTHING));
    for (var keys : seen.keys) patterns.add(new ObjectShape.Pattern(keys, Term.EVERYTHING));
    return ObjectShape.with(new ObjectShape.Layer(patterns, left));
  }

  private static ArrayShape items(Seen seen, Term left) {
    if (Meaning.isUnbounded(seen.items)) return ArrayShape.ALL;
    var first = new ArrayList<Term>();
    for (int i = 0; i < seen.items; i++) first.add(Term.EVERYTHING);
    return new ArrayShape(first, left, 0, Regex.UNBOUNDED, List.of(), false);
  }

  /** The cases of a schema, leaving out what one keyword of its own would say. */
  private List<Case> cases(Term.Place place, String without) {
    if (!working.add(place)) {
      throw new Unplaced(without + " cannot be kept where a schema refers to itself");
    }
    var cases = List.of(new Case(Term.EVERYTHING, own(place, without)));
    var schema = place.schema();
    for (var keyword : List.of("$ref", "$dynamicRef", "$recursiveRef")) {
      if (schema.has(keyword)) {
        cases = product(cases, cases(document.reference(place, keyword), without));
      }
    }
    for (int i = 0; i < schema.path("allOf").size(); i++) {
      cases = product(cases, cases(document.under(place, "allOf", i), without));
    }
    for (int i = 0; i < schema.path("anyOf").size(); i++) {
      cases = product(cases, perhaps(document.under(place, "anyOf", i), without));
    }
    for (int i = 0; i < schema.path("oneOf").size(); i++) {
      cases = product(cases, perhaps(document.under(place, "oneOf", i), without));
    }
    if (schema.has("if")) cases = product(cases, condition(place, without));
    for (var key : schema.path("dependentSchemas").propertyNames()) {
      throw new Unplaced(
          without + " cannot be kept beside dependentSchemas, such as that of \"" + key + "\"");
    }
    working.remove(place);
    return cases;
  }

  private List<Case> cases(Term term, String without) {
    return switch (term) {
      case Term.Place place -> cases(place, without);
      case Term.Everything _, Term.Nothing _, Term.Value _, Term.All _, Term.Any _, Term.Not _ ->
          List.of(new Case(Term.EVERYTHING, Seen.NOTHING));
    };
  }

  /** A schema that a value may be of or not; only if it is, what it looked at counts. */
  private List<Case> perhaps(Term term, String without) {
    var some = new ArrayList<Case>();
    boolean looks = false;
    for (var one : cases(term, without)) {
      looks |= !one.seen.equals(Seen.NOTHING);
      some.add(new Case(Term.all(term, one.when), one.seen));
    }
    if (!looks) return List.of(new Case(Term.EVERYTHING, Seen.NOTHING));
    some.add(new Case(Term.not(term), Seen.NOTHING));
    return some;
  }

  private List<Case> condition(Term.Place place, String without) {
    var asked = document.under(place, "if");
    var schema = place.schema();
    var yes = cases(asked, without);
    if (schema.has("then")) yes = product(yes, cases(document.under(place, "then"), without));
    var no = List.of(new Case(Term.EVERYTHING, Seen.NOTHING));
    if (schema.has("else")) no = cases(document.under(place, "else"), without);
    var all = new ArrayList<Case>();
    for (var one : yes) all.add(new Case(Term.all(asked, one.when), one.seen));
    for (var one : no) all.add(new Case(Term.all(Term.not(asked), one.when), one.seen));
    return all;
  }

  private static List<Case> product(List<Case> a, List<Case> b) {
    var product = new LinkedHashSet<Case>();
    for (var x : a) for (var y : b) product.add(x.and(y));
    if (product.size() > MOST_CASES) {
      throw new Unplaced(
          "unevaluatedProperties and unevaluatedItems depend on more than "
              + MOST_CASES
              + " combinations of anyOf, oneOf and if; use fewer of them");
    }
    return List.copyOf(product);
  }

  private Seen own(Term.Place place, String without) {
    var schema = place.schema();
    var names = new LinkedHashSet<>(schema.path("properties").propertyNames());
    var keys = new ArrayList<Texts>();
    for (var pattern : schema.path("patternProperties").propertyNames()) {
      keys.add(document.pattern(place, "patternProperties", pattern));
    }
    boolean nested = working.size() > 1;
    if (schema.has("additionalProperties") || nested && schema.has("unevaluatedProperties")) {
      keys.add(Texts.ALL);
    }
    int items = schema.path("prefixItems").size();
    if (schema.has("items") || nested && schema.has("unevaluatedItems")) {
      items = Regex.UNBOUNDED;
    }
    if (schema.has("contains") && without.equals("unevaluatedItems")) {
      throw new Unplaced(
          "unevaluatedItems cannot be kept beside contains, which looks at items too");
    }
    return new Seen(names, keys, items);
  }
}
