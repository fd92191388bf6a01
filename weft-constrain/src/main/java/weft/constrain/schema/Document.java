package weft.constrain.schema;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import weft.constrain.ConstrainException;
import weft.constrain.Regex;

/**
 * A schema as a whole: its places, their identifiers and what references lead to. Of one thread.
 */
final class Document {
  /** Keywords whose members are schemas under names that mean nothing here. */
  private static final Set<String> NAMED =
      Set.of(
          "properties",
          "patternProperties",
          "definitions",
          "$defs",
          "dependentSchemas",
          "dependencies");

  /** Keywords that hold values, in which a {@code $id} is only a value. */
  private static final Set<String> VALUES =
      Set.of("enum", "const", "default", "examples", "example");

  private final JsonNode root;
  private final Draft draft;
  private final Effort effort;
  private final Resource whole;
  private final Map<String, Resource> resources = new HashMap<>();
  private final Map<JsonNode, Resource> owners = new IdentityHashMap<>();
  private final Map<JsonNode, Term.Place> places = new IdentityHashMap<>();
  private final Map<String, Texts> patterns = new HashMap<>();
  private final Map<String, Integer> dynamicAnchors = new HashMap<>();
  private final Set<String> recursiveAnchors = new HashSet<>();

  Document(JsonNode root, Effort effort) {
    this.root = root;
    this.draft = Draft.of(root);
    this.effort = effort;
    this.whole = new Resource("", root);
    resources.put("", whole);
    index(root, whole);
  }

  Draft draft() {
    return draft;
  }

  /** What the whole document allows. */
  Term term() {
    return term(root, "#");
  }

  /** What a schema at a place allows. */
  Term term(JsonNode schema, String pointer) {
    if (schema.isBoolean()) return schema.booleanValue() ? Term.EVERYTHING : Term.NOTHING;
    if (!schema.isObject()) {
      throw new ConstrainException(
          pointer + " is " + kind(schema) + "; a schema is an object, true or false");
    }
    if (schema.isEmpty()) return Term.EVERYTHING;
    var known = places.get(schema);
    if (known != null) return known;
    var place = new Term.Place(schema, pointer, owners.getOrDefault(schema, whole));
    places.put(schema, place);
    return place;
  }

  /** What the schema under a keyword of a place allows. */
  Term under(Term.Place place, String keyword) {
    return term(place.schema().get(keyword), place.pointer() + "/" + escaped(keyword));
  }

  /** What the schema under a name under a keyword allows. */
  Term under(Term.Place place, String keyword, String name) {
    return term(
        place.schema().get(keyword).get(name),
        place.pointer() + "/" + escaped(keyword) + "/" + escaped(name));
  }

  /** What one of the schemas listed under a keyword allows. */
  Term under(Term.Place place, String keyword, int index) {
    return term(
        place.schema().get(keyword).get(index),
        place.pointer() + "/" + escaped(keyword) + "/" + index);
  }

  /** The texts in which a pattern is found; whatever it is refused for, its place is named. */
  Texts pattern(Term.Place place, String keyword, String pattern) {
    var known = patterns.get(pattern);
    if (known != null) return known;
    try {
      var texts = Texts.matching(Regex.parseSearch(pattern));
      patterns.put(pattern, texts);
      return texts;
    } catch (ConstrainException e) {
      throw new ConstrainException("%s/%s: %s".formatted(place.pointer(), keyword, e.getMessage()));
    }
  }

  static String kind(JsonNode node) {
    return switch (node.getNodeType()) {
      case ARRAY -> "a list";
      case OBJECT, POJO -> "an object";
      case STRING, BINARY -> "a text";
      case NUMBER -> "a number";
      case BOOLEAN -> "a truth value";
      case NULL, MISSING -> "null";
    };
  }

  /** What a {@code $ref} leads to. */
  Term reference(Term.Place place, String keyword) {
    var value = place.schema().get(keyword);
    if (!value.isString()) {
      throw new ConstrainException(
          "%s/%s is %s; a reference is a text".formatted(place.pointer(), keyword, kind(value)));
    }
    var reference = value.stringValue();
    int hash = reference.indexOf('#');
    var file = hash < 0 ? reference : reference.substring(0, hash);
    var fragment = hash < 0 ? "" : decoded(reference.substring(hash + 1));
    var resource =
        file.isEmpty()
            ? place.resource()
            : resources.get(resolved(place.resource().identifier(), file));
    if (resource == null) {
      throw unknown(
          place, keyword, reference, "is outside of this schema, which is all that is read");
    }
    var found = Optional.<JsonNode>empty();
    if (fragment.isEmpty()) found = Optional.of(resource.root());
    else if (fragment.startsWith("/")) {
      found = pointed(resource.root(), fragment);
      // Generators of schemas put an $id on every level and mean the document all the same.
      if (found.isEmpty()) found = pointed(root, fragment);
    } else {
      found = Optional.ofNullable(resource.anchors().get(fragment));
    }
    var target =
        found.orElseThrow(
            () -> unknown(place, keyword, reference, "leads to nothing in this schema"));
    return term(target, pointerOf(resource, fragment));
  }

  private String pointerOf(Resource resource, String fragment) {
    return resource == whole || resource.identifier().isEmpty()
        ? "#" + fragment
        : resource.identifier() + "#" + fragment;
  }

  /** How many places a dynamic reference to an anchor could lead to. */
  int dynamicTargets(String anchor) {
    return dynamicAnchors.getOrDefault(anchor, 0);
  }

  boolean hasRecursiveAnchors() {
    return !recursiveAnchors.isEmpty();
  }

  private static ConstrainException unknown(
      Term.Place place, String keyword, String reference, String why) {
    return new ConstrainException(
        "%s/%s: %s %s; put what it means under $defs and refer to that"
            .formatted(place.pointer(), keyword, reference, why));
  }

  private Optional<JsonNode> pointed(JsonNode from, String pointer) {
    var node = from;
    for (var step : pointer.substring(1).split("/", -1)) {
      var name = step.replace("~1", "/").replace("~0", "~");
      JsonNode next = null;
      if (node.isObject()) next = node.get(name);
      else if (node.isArray() && name.matches("\\d{1,6}")) next = node.get(Integer.parseInt(name));
      if (next == null) return Optional.empty();
      node = next;
    }
    return Optional.of(node);
  }

  private void index(JsonNode schema, Resource resource) {
    effort.enter();
    if (schema.isArray()) {
      for (var item : schema) if (item.isContainer()) index(item, resource);
    } else if (schema.isObject()) {
      var owner = owner(schema, resource);
      owners.put(schema, owner);
      for (var entry : schema.properties()) {
        var value = entry.getValue();
        if (!value.isContainer() || VALUES.contains(entry.getKey())) continue;
        if (NAMED.contains(entry.getKey()) && value.isObject()) {
          for (var named : value) if (named.isContainer()) index(named, owner);
        } else {
          index(value, owner);
        }
      }
    }
    effort.leave();
  }

  private Resource owner(JsonNode schema, Resource resource) {
    var owner = resource;
    var identifier = schema.path(draft.identifier());
    boolean counts = !draft.isReferenceAlone() || !schema.path("$ref").isString();
    if (identifier.isString() && counts) {
      var said = identifier.stringValue();
      if (said.startsWith("#")) {
        if (said.length() > 1) owner.anchors().putIfAbsent(said.substring(1), schema);
      } else if (!said.isEmpty()) {
        var absolute = resolved(resource.identifier(), said);
        owner = schema == root ? whole : new Resource(absolute, schema);
        if (schema == root) owner = new Resource(absolute, root, whole.anchors());
        resources.putIfAbsent(absolute, owner);
      }
    }
    for (var keyword : new String[] {"$anchor", "$dynamicAnchor"}) {
      var anchor = schema.path(keyword);
      if (anchor.isString()) owner.anchors().putIfAbsent(anchor.stringValue(), schema);
    }
    var dynamic = schema.path("$dynamicAnchor");
    if (dynamic.isString()) dynamicAnchors.merge(dynamic.stringValue(), 1, Integer::sum);
    if (schema.path("$recursiveAnchor").booleanValue(false)) {
      recursiveAnchors.add(owner.identifier());
    }
    return owner;
  }

  private static String resolved(String base, String file) {
    var plain = file.endsWith("#") ? file.substring(0, file.length() - 1) : file;
    try {
      return base.isEmpty() ? plain : URI.create(base).resolve(plain).toString();
    } catch (IllegalArgumentException _) {
      return plain;
    }
  }

  private static String decoded(String fragment) {
    try {
      return URLDecoder.decode(fragment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return fragment;
    }
  }

  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
