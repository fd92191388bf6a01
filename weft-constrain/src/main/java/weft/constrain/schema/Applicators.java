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
      if (schema.has(keyword)) shape = meaning.and(shape, meaning.shape(reference(place, keyword)));
    }
    if (schema.has("allOf")) {
      for (var term : listed(place, "allOf")) shape = meaning.and(shape, meaning.shape(term));
    }
    if (schema.has("anyOf")) {
      shape = meaning.and(shape, meaning.shape(Term.any(listed(place, "anyOf"))));
    }
    if (schema.has("oneOf")) {
      shape = meaning.and(shape, meaning.shape(one(listed(place, "oneOf"))));
    }
    boolean conditional = document.draft().compareTo(Draft.SEVEN) >= 0 && schema.has("if");
    if (conditional && (schema.has("then") || schema.has("else"))) {
      shape = meaning.and(shape, meaning.shape(condition(place)));
    }
    if (schema.has("not")) {
      shape = meaning.and(shape, meaning.shape(Term.not(document.under(place, "not"))));
    }
    for (var keyword : List.of("dependencies", "dependentRequired", "dependentSchemas")) {
      if (schema.has(keyword)) shape = dependencies(place, keyword, shape);
    }
    for (var keyword : List.of("unevaluatedProperties", "unevaluatedItems")) {
      if (document.draft() == Draft.LATER && isConstraint(schema.path(keyword))) {
        throw Keywords.unkept(
            place,
            keyword,
            "cannot be kept; say with additionalProperties or items what is allowed");
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

  /** Exactly one of the terms: each without those others that it has values in common with. */
  private Term one(List<Term> terms) {
    var alternatives = new ArrayList<Term>();
    for (int i = 0; i < terms.size(); i++) {
      var parts = new ArrayList<Term>();
      parts.add(terms.get(i));
      for (int j = 0; j < terms.size(); j++) {
        if (j == i) continue;
        var both =
            i < j ? Term.all(terms.get(i), terms.get(j)) : Term.all(terms.get(j), terms.get(i));
        if (terms.get(i).equals(terms.get(j)) || !meaning.isEmpty(both)) {
          parts.add(Term.not(terms.get(j)));
        }
      }
      alternatives.add(Term.all(parts));
    }
    return Term.any(alternatives);
  }

  private Term condition(Term.Place place) {
    var asked = document.under(place, "if");
    var schema = place.schema();
    var then = schema.has("then") ? document.under(place, "then") : Term.EVERYTHING;
    var otherwise = schema.has("else") ? document.under(place, "else") : Term.EVERYTHING;
    return Term.any(List.of(Term.all(asked, then), Term.all(List.of(Term.not(asked), otherwise))));
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
