package weft.constrain.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Reads the keywords that apply other schemas to the same value. Of one thread. */
final class Applicators {
  private final Document document;
  private final Meaning meaning;

  Applicators(Document document, Meaning meaning) {
    this.document = document;
    this.meaning = meaning;
  }

  /** What is left of a shape when the other schemas have had their say. */
  Shape apply(Term.Place place, Shape start) {
    var schema = place.schema();
    var shape = start;
    for (var keyword : List.of("$ref", "$dynamicRef", "$recursiveRef")) {
      if (schema.has(keyword)) shape = both(place, keyword, shape, reference(place, keyword));
    }
    if (schema.has("allOf")) {
      var terms = listed(place, "allOf");
      // Each is put before those that follow it.
      for (var term : isEarly(place, "allOf") ? terms.reversed() : terms) {
        shape = both(place, "allOf", shape, term);
      }
    }
    if (schema.has("anyOf")) {
      shape = both(place, "anyOf", shape, Term.any(listed(place, "anyOf")));
    }
    if (schema.has("oneOf")) shape = one(place, shape);
    boolean conditional = document.draft().compareTo(Draft.SEVEN) >= 0 && schema.has("if");
    if (conditional && (schema.has("then") || schema.has("else"))) shape = condition(place, shape);
    if (schema.has("not")) {
      shape = meaning.and(shape, meaning.shape(Term.not(document.under(place, "not"))));
    }
    for (var keyword : List.of("dependencies", "dependentRequired", "dependentSchemas")) {
      if (schema.has(keyword)) shape = dependencies(place, keyword, shape);
    }
    for (var keyword : List.of("unevaluatedProperties", "unevaluatedItems")) {
      if (document.draft() == Draft.LATER && isConstraint(schema.path(keyword))) {
        shape = new Evaluation(document).rest(place, keyword, shape, meaning);
      }
    }
    return shape;
  }

  private static boolean isConstraint(JsonNode schema) {
    boolean free =
        schema.isMissingNode()
            || schema.isBoolean() && schema.booleanValue()
            || schema.isObject() && schema.isEmpty();
    return !free;
  }

  private Term reference(Term.Place place, String keyword) {
    var target = place.schema().get(keyword);
    if (keyword.equals("$dynamicRef") && target.isString()) {
      var text = target.stringValue();
      if (document.dynamicTargets(text.substring(text.indexOf('#') + 1)) > 1) {
        throw Keywords.unkept(
            place, keyword, "could lead to several anchors of one name; use $ref instead");
      }
    }
    if (keyword.equals("$recursiveRef") && document.hasRecursiveAnchors()) {
      throw Keywords.unkept(
          place, keyword, "with $recursiveAnchor cannot be kept; use $ref instead");
    }
    return document.reference(place, keyword);
  }

  private List<Term> listed(Term.Place place, String keyword) {
    var list = place.schema().get(keyword);
    if (!list.isArray() || list.isEmpty()) {
      throw Keywords.wrong(place, keyword, "a list of one or more schemas");
    }
    var terms = new ArrayList<Term>();
    for (int i = 0; i < list.size(); i++) terms.add(document.under(place, keyword, i));
    return terms;
  }

  /** What both allow; properties in the order in which the schema comes to them. */
  private Shape both(Term.Place place, String keyword, Shape shape, Term term) {
    return both(place, keyword, shape, meaning.shape(term));
  }

  private Shape both(Term.Place place, String keyword, Shape shape, Shape other) {
    return isEarly(place, keyword) ? meaning.and(other, shape) : meaning.and(shape, other);
  }

  /** Whether a keyword stands before the properties that stand beside it. */
  private static boolean isEarly(Term.Place place, String keyword) {
    if (!place.schema().has("properties")) return false;
    for (var name : place.schema().propertyNames()) {
      if (name.equals("properties")) return false;
      if (name.equals(keyword)) return true;
    }
    return false;
  }

  /** Exactly one of the terms: each without those others that it has values in common with. */
  private Shape one(Term.Place place, Shape start) {
    var terms = listed(place, "oneOf");
    var arms = new ArrayList<Shape>();
    for (var term : terms) arms.add(both(place, "oneOf", start, term));
    var one = Shape.NOTHING;
    for (int i = 0; i < arms.size(); i++) {
      var arm = arms.get(i);
      for (int j = 0; j < arms.size() && !meaning.isEmpty(arm); j++) {
        if (j == i || meaning.isEmpty(arms.get(j))) continue;
        if (meaning.isEmpty(meaning.and(arm, arms.get(j)))) continue;
        arm = meaning.and(arm, meaning.shape(Term.not(terms.get(j))));
      }
      one = one.or(arm);
    }
    return one;
  }

  private Shape condition(Term.Place place, Shape start) {
    var asked = document.under(place, "if");
    var schema = place.schema();
    var then = both(place, "if", start, asked);
    if (schema.has("then")) then = both(place, "then", then, document.under(place, "then"));
    var otherwise = both(place, "if", start, Term.not(asked));
    if (schema.has("else"))
      otherwise = both(place, "else", otherwise, document.under(place, "else"));
    return then.or(otherwise);
  }

  private Shape dependencies(Term.Place place, String keyword, Shape start) {
    var said = place.schema().get(keyword);
    if (!said.isObject()) throw Keywords.wrong(place, keyword, "an object");
    var shape = start;
    for (var entry : said.properties()) {
      var key = entry.getKey();
      var lacking = Shape.EVERYTHING.withObjects(List.of(ObjectShape.lacking(key)));
      var needed = new LinkedHashSet<String>();
      needed.add(key);
      var value = entry.getValue();
      if (value.isArray()) {
        for (var name : value) needed.add(name.asString());
      } else if (value.isString()) {
        needed.add(value.stringValue());
      }
      var having =
          Shape.NOTHING.withObjects(List.of(ObjectShape.having(needed, Term.EVERYTHING, true)));
      if (!value.isArray() && !value.isString()) {
        having = meaning.and(having, meaning.shape(document.under(place, keyword, key)));
      }
      shape = meaning.and(shape, lacking.or(having));
    }
    return shape;
  }
}
