package weft.constrain.schema;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import weft.constrain.ConstrainException;
import weft.constrain.Regex;

/** Reads the keywords of a schema that say something of the value itself. Of one thread. */
final class Keywords {
  private static final Set<String> TYPES =
      Set.of("null", "boolean", "integer", "number", "string", "array", "object");

  private final Document document;
  private final Meaning meaning;
  private final Applicators applicators;

  Keywords(Document document, Meaning meaning) {
    this.document = document;
    this.meaning = meaning;
    this.applicators = new Applicators(document, meaning);
  }

  /** The values that a schema allows. */
  Shape shape(Term.Place place) {
    var schema = place.schema();
    if (document.draft().isReferenceAlone() && schema.path("$ref").isString()) {
      return meaning.shape(document.reference(place, "$ref"));
    }
    refuseUnkept(place);
    var shape = ofTypes(place);
    if (!shape.numbers().isEmpty()) {
      shape = shape.withNumbers(shape.numbers().and(numbers(place), meaning.effort()));
    }
    if (!shape.texts().equals(Texts.NONE)) {
      shape = shape.withTexts(shape.texts().and(texts(place), meaning.walks()));
    }
    if (!shape.arrays().isEmpty()) shape = shape.withArrays(List.of(array(place)));
    if (!shape.objects().isEmpty()) {
      shape = shape.withObjects(List.of(new Properties(document, meaning).shape(place)));
    }
    if (schema.has("enum")) {
      var values = schema.get("enum");
      if (!values.isArray()) throw wrong(place, "enum", "a list");
      shape = meaning.and(Shape.ofAny(values), shape);
    }
    if (schema.has("const") && document.draft().compareTo(Draft.FOUR) > 0) {
      shape = meaning.and(Shape.of(schema.get("const")), shape);
    }
    return applicators.apply(place, shape);
  }

  private void refuseUnkept(Term.Place place) {
    var schema = place.schema();
    if (document.draft() == Draft.THREE) {
      for (var keyword : List.of("extends", "disallow", "divisibleBy")) {
        if (schema.has(keyword))
          throw unkept(place, keyword, "is of draft 3; say it as draft 4 does");
      }
    }
    if (schema.path("required").isBoolean() && document.draft() == Draft.THREE) {
      throw unkept(
          place, "required", "as a truth value is of draft 3; list the names as draft 4 does");
    }
  }

  private Shape ofTypes(Term.Place place) {
    var type = place.schema().path("type");
    if (type.isMissingNode()) return Shape.EVERYTHING;
    var names = new ArrayList<String>();
    if (type.isString()) names.add(type.stringValue());
    else if (type.isArray()) {
      for (var name : type) {
        if (!name.isString()) throw wrong(place, "type", "the name of a type, or a list of names");
        names.add(name.stringValue());
      }
    } else {
      throw wrong(place, "type", "the name of a type, or a list of names");
    }
    for (var name : names) {
      if (!TYPES.contains(name)) {
        throw new ConstrainException(
            "%s/type is \"%s\"; types are null, boolean, integer, number, string, array and object"
                .formatted(place.pointer(), name));
      }
    }
    var numbers = names.contains("integer") ? Numbers.WHOLE : Numbers.NONE;
    return new Shape(
        names.contains("null"),
        names.contains("boolean"),
        names.contains("boolean"),
        names.contains("number") ? Numbers.ALL : numbers,
        names.contains("string") ? Texts.ALL : Texts.NONE,
        names.contains("array") ? List.of(ArrayShape.ALL) : List.of(),
        names.contains("object") ? List.of(ObjectShape.ALL) : List.of());
  }

  private Numbers numbers(Term.Place place) {
    var schema = place.schema();
    var band = Band.ALL;
    var low = Edge.NONE;
    var high = Edge.NONE;
    if (schema.has("minimum")) {
      boolean excluded = schema.path("exclusiveMinimum").booleanValue(false);
      low = new Edge.At(number(place, "minimum"), !excluded);
    }
    if (schema.has("maximum")) {
      boolean excluded = schema.path("exclusiveMaximum").booleanValue(false);
      high = new Edge.At(number(place, "maximum"), !excluded);
    }
    if (schema.has("exclusiveMinimum") && !schema.get("exclusiveMinimum").isBoolean()) {
      low = Edge.higher(low, Edge.excluding(number(place, "exclusiveMinimum")));
    }
    if (schema.has("exclusiveMaximum") && !schema.get("exclusiveMaximum").isBoolean()) {
      high = Edge.lower(high, Edge.excluding(number(place, "exclusiveMaximum")));
    }
    band = band.and(Band.between(low, high));
    if (schema.has("multipleOf")) {
      var step = number(place, "multipleOf");
      if (step.signum() <= 0) throw wrong(place, "multipleOf", "a number above 0");
      band = band.and(Band.multiplesOf(step));
    }
    return Numbers.of(band);
  }

  private static BigDecimal number(Term.Place place, String keyword) {
    var value = place.schema().get(keyword);
    if (!value.isNumber()) throw wrong(place, keyword, "a number");
    return Decimals.of(value);
  }

  private Texts texts(Term.Place place) {
    var schema = place.schema();
    var texts =
        Texts.sized(count(place, "minLength", 0), count(place, "maxLength", Regex.UNBOUNDED));
    if (schema.has("pattern")) {
      if (!schema.get("pattern").isString()) throw wrong(place, "pattern", "a text");
      texts =
          texts.and(
              document.pattern(place, "pattern", schema.get("pattern").stringValue()),
              meaning.walks());
    }
    if (schema.path("format").isString()) {
      texts = texts.and(Formats.of(schema.get("format").stringValue()), meaning.walks());
    }
    return texts;
  }

  private ArrayShape array(Term.Place place) {
    var schema = place.schema();
    var first = new ArrayList<Term>();
    Term rest = Term.EVERYTHING;
    var items = schema.path("items");
    if (schema.has("prefixItems") && document.draft() == Draft.LATER) {
      if (!schema.get("prefixItems").isArray())
        throw wrong(place, "prefixItems", "a list of schemas");
      for (int i = 0; i < schema.get("prefixItems").size(); i++) {
        first.add(document.under(place, "prefixItems", i));
      }
      if (!items.isMissingNode()) rest = document.under(place, "items");
    } else if (items.isArray()) {
      for (int i = 0; i < items.size(); i++) first.add(document.under(place, "items", i));
      if (schema.has("additionalItems")) rest = document.under(place, "additionalItems");
    } else if (!items.isMissingNode()) {
      rest = document.under(place, "items");
    }
    var array =
        new ArrayShape(
            first,
            rest,
            count(place, "minItems", 0),
            count(place, "maxItems", Regex.UNBOUNDED),
            List.of(),
            isDistinct(place));
    if (schema.has("contains") && document.draft().compareTo(Draft.FOUR) > 0) {
      boolean counted = document.draft() == Draft.LATER;
      int least = counted ? count(place, "minContains", 1) : 1;
      int greatest = counted ? count(place, "maxContains", Regex.UNBOUNDED) : Regex.UNBOUNDED;
      if (least > greatest) return array.and(ArrayShape.sized(1, 0));
      if (least > 0 || greatest < Regex.UNBOUNDED) {
        array =
            array.and(ArrayShape.counted(document.under(place, "contains"), 0, least, greatest));
      }
    }
    return array;
  }

  private static boolean isDistinct(Term.Place place) {
    var unique = place.schema().path("uniqueItems");
    if (!unique.isMissingNode() && !unique.isBoolean()) {
      throw wrong(place, "uniqueItems", "true or false");
    }
    return unique.booleanValue(false);
  }

  /** A keyword that counts: a whole number from 0 on. */
  static int count(Term.Place place, String keyword, int otherwise) {
    var value = place.schema().path(keyword);
    if (value.isMissingNode()) return otherwise;
    if (!value.isNumber()) throw wrong(place, keyword, "a whole number from 0 on");
    var count = Decimals.of(value);
    if (count.signum() < 0 || !Band.isMultiple(count, BigDecimal.ONE)) {
      throw wrong(place, keyword, "a whole number from 0 on");
    }
    return count.min(BigDecimal.valueOf(Regex.UNBOUNDED)).intValue();
  }

  static ConstrainException wrong(Term.Place place, String keyword, String expected) {
    return new ConstrainException(
        "%s/%s is %s; it is to be %s"
            .formatted(place.pointer(), keyword, said(place.schema().get(keyword)), expected));
  }

  private static String said(JsonNode value) {
    return value.isContainer() || value.isString() ? Document.kind(value) : value.toString();
  }

  static ConstrainException unkept(Term.Place place, String keyword, String why) {
    return new ConstrainException("%s/%s %s".formatted(place.pointer(), keyword, why));
  }

  /** Reads the keywords of objects. Of one thread. */
  record Properties(Document document, Meaning meaning) {
    ObjectShape shape(Term.Place place) {
      var schema = place.schema();
      var layer = layer(place);
      var names = schema.has("propertyNames") ? names(place) : Texts.ALL;
      var properties = new LinkedHashMap<String, ObjectShape.Property>();
      var declared = schema.path("properties");
      if (!declared.isMissingNode() && !declared.isObject()) {
        throw wrong(place, "properties", "an object of schemas");
      }
      var required = required(place);
      for (var key : declared.propertyNames()) {
        var value = document.under(place, "properties", key);
        for (var pattern : layer.patterns()) {
          if (pattern.keys().contains(key, meaning.walks()))
            value = Term.all(value, pattern.value());
        }
        if (!names.contains(key, meaning.walks())) value = Term.NOTHING;
        properties.put(key, new ObjectShape.Property(value, required.contains(key), true));
      }
      for (var key : required) {
        if (properties.containsKey(key)) continue;
        var value =
            names.contains(key, meaning.walks()) ? layer.at(key, meaning.walks()) : Term.NOTHING;
        properties.put(key, new ObjectShape.Property(value, true, false));
      }
      boolean free = layer.patterns().isEmpty() && layer.rest() instanceof Term.Everything;
      return new ObjectShape(
          properties,
          free ? List.of() : List.of(layer),
          names,
          List.of(),
          count(place, "minProperties", 0),
          count(place, "maxProperties", Regex.UNBOUNDED));
    }

    private Texts names(Term.Place place) {
      return meaning.shape(document.under(place, "propertyNames")).texts();
    }

    private ObjectShape.Layer layer(Term.Place place) {
      var schema = place.schema();
      var patterns = new ArrayList<ObjectShape.Pattern>();
      var said = schema.path("patternProperties");
      if (!said.isMissingNode() && !said.isObject()) {
        throw wrong(place, "patternProperties", "an object of schemas");
      }
      for (var pattern : said.propertyNames()) {
        patterns.add(
            new ObjectShape.Pattern(
                document.pattern(place, "patternProperties", pattern),
                document.under(place, "patternProperties", pattern)));
      }
      var rest =
          schema.has("additionalProperties")
              ? document.under(place, "additionalProperties")
              : Term.EVERYTHING;
      return new ObjectShape.Layer(patterns, rest);
    }

    private Set<String> required(Term.Place place) {
      var required = place.schema().path("required");
      if (required.isMissingNode()) return Set.of();
      var names = new LinkedHashSet<String>();
      if (!required.isArray()) throw wrong(place, "required", "a list of names");
      for (var name : required) {
        if (!name.isString()) throw wrong(place, "required", "a list of names");
        names.add(name.stringValue());
      }
      return names;
    }
  }
}
