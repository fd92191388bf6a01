package weft.constrain.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import weft.constrain.Regex;

/**
 * Objects of one shape: properties known by name, in the order in which they are written, what
 * other keys may hold, which keys there may be, what must be found among them, and how many there
 * are.
 */
record ObjectShape(
    Map<String, Property> properties,
    List<Layer> layers,
    Texts names,
    List<Some> some,
    int least,
    int greatest) {
  static final ObjectShape ALL =
      new ObjectShape(Map.of(), List.of(), Texts.ALL, List.of(), 0, Regex.UNBOUNDED);

  /** A property known by name; one that may not be there has nothing for a value. */
  record Property(Term value, boolean required, boolean declared) {}

  /**
   * What keys hold that are not named: all that their patterns say, and the rest where none does.
   */
  record Layer(List<Pattern> patterns, Term rest) {
    Layer {
      patterns = List.copyOf(patterns);
    }

    Term at(String key, Walks walks) {
      var values = new ArrayList<Term>();
      boolean matched = false;
      for (var pattern : patterns) {
        if (pattern.keys.contains(key, walks)) {
          matched = true;
          values.add(pattern.value);
        }
      }
      return matched ? Term.all(values) : rest;
    }
  }

  /** What keys of a set hold. */
  record Pattern(Texts keys, Term value) {}

  /** At least one key of a set holds a value of a term. */
  record Some(Texts keys, Term value) {}

  ObjectShape {
    layers = List.copyOf(layers);
    some = List.copyOf(some);
  }

  /** One object alone, its properties in its own order. */
  static ObjectShape of(JsonNode object) {
    var properties = new LinkedHashMap<String, Property>();
    for (var entry : object.properties()) {
      properties.put(entry.getKey(), new Property(new Term.Value(entry.getValue()), true, true));
    }
    return new ObjectShape(
        properties,
        List.of(new Layer(List.of(), Term.NOTHING)),
        Texts.ALL,
        List.of(),
        0,
        Regex.UNBOUNDED);
  }

  /** Objects that have, or lack, keys. */
  static ObjectShape having(Iterable<String> keys, Term value, boolean required) {
    var properties = new LinkedHashMap<String, Property>();
    for (var key : keys) properties.put(key, new Property(value, required, false));
    return new ObjectShape(properties, List.of(), Texts.ALL, List.of(), 0, Regex.UNBOUNDED);
  }

  static ObjectShape lacking(String key) {
    return having(List.of(key), Term.NOTHING, false);
  }

  static ObjectShape sized(int least, int greatest) {
    return new ObjectShape(Map.of(), List.of(), Texts.ALL, List.of(), least, greatest);
  }

  private static ObjectShape with(Some some) {
    return new ObjectShape(Map.of(), List.of(), Texts.ALL, List.of(some), 0, Regex.UNBOUNDED);
  }

  static ObjectShape with(Layer layer) {
    return new ObjectShape(Map.of(), List.of(layer), Texts.ALL, List.of(), 0, Regex.UNBOUNDED);
  }

  /** What a key holds that may be named or not. */
  Term at(String key, Walks walks) {
    var property = properties.get(key);
    return property != null ? property.value : unnamed(key, walks);
  }

  /** What a key holds that is not named. */
  Term unnamed(String key, Walks walks) {
    if (!names.contains(key, walks)) return Term.NOTHING;
    var values = new ArrayList<Term>();
    for (var layer : layers) values.add(layer.at(key, walks));
    return Term.all(values);
  }

  ObjectShape and(ObjectShape other, Walks walks) {
    var merged = new LinkedHashMap<String, Property>();
    // Declared ones first: a key that is only required stands where its declaration is.
    for (boolean declared : new boolean[] {true, false}) {
      for (var shape : List.of(this, other)) {
        for (var entry : shape.properties.entrySet()) {
          if (entry.getValue().declared == declared) merge(entry.getKey(), other, merged, walks);
        }
      }
    }
    var allLayers = new LinkedHashSet<>(layers);
    allLayers.addAll(other.layers);
    var allSome = new LinkedHashSet<>(some);
    allSome.addAll(other.some);
    return new ObjectShape(
        merged,
        List.copyOf(allLayers),
        names.and(other.names, walks),
        List.copyOf(allSome),
        Math.max(least, other.least),
        Math.min(greatest, other.greatest));
  }

  private void merge(String key, ObjectShape other, Map<String, Property> merged, Walks walks) {
    if (merged.containsKey(key)) return;
    var mine = properties.get(key);
    var its = other.properties.get(key);
    boolean required = mine != null && mine.required || its != null && its.required;
    boolean declared = mine != null && mine.declared || its != null && its.declared;
    var value = Term.all(at(key, walks), other.at(key, walks));
    boolean wasForbidden =
        value instanceof Term.Nothing
            && (mine == null && at(key, walks) instanceof Term.Nothing
                || its == null && other.at(key, walks) instanceof Term.Nothing);
    // Saying again that a key may not be there would only make equal shapes look different.
    if (wasForbidden && !required) return;
    merged.put(key, new Property(value, required, declared));
  }

  /** Shapes of the objects that are not of this one. */
  List<ObjectShape> not(Walks walks) {
    var others = new ArrayList<ObjectShape>();
    for (var entry : properties.entrySet()) {
      var property = entry.getValue();
      if (property.required) others.add(lacking(entry.getKey()));
      if (!(property.value instanceof Term.Everything)) {
        others.add(having(List.of(entry.getKey()), Term.not(property.value), true));
      }
    }
    Texts unnamed = new Texts.Unlisted(Set.copyOf(properties.keySet()));
    for (var layer : layers) {
      var rest = unnamed;
      for (var pattern : layer.patterns) {
        if (!(pattern.value instanceof Term.Everything)) {
          others.add(with(new Some(unnamed.and(pattern.keys, walks), Term.not(pattern.value))));
        }
        rest = rest.and(pattern.keys.not(), walks);
      }
      if (!(layer.rest instanceof Term.Everything)) {
        others.add(with(new Some(rest, Term.not(layer.rest))));
      }
    }
    if (!names.isAll()) {
      others.add(with(new Some(unnamed.and(names.not(), walks), Term.EVERYTHING)));
    }
    for (var one : some) {
      others.add(
          with(new Layer(List.of(new Pattern(one.keys, Term.not(one.value))), Term.EVERYTHING)));
    }
    if (least > 0) others.add(sized(0, least - 1));
    if (greatest < Regex.UNBOUNDED) others.add(sized(greatest + 1, Regex.UNBOUNDED));
    return others;
  }

  /** The kinds of keys that are not named, which do not overlap, and what each holds. */
  List<Pattern> others(Meaning meaning) {
    var walks = meaning.walks();
    Texts unnamed = names.and(new Texts.Unlisted(Set.copyOf(properties.keySet())), walks);
    var kinds = List.of(new Pattern(unnamed, Term.EVERYTHING));
    for (var layer : layers) kinds = split(kinds, layer, meaning);
    return kinds.stream().filter(kind -> !kind.keys.isEmpty(walks)).toList();
  }

  private static List<Pattern> split(List<Pattern> kinds, Layer layer, Meaning meaning) {
    record Open(Texts keys, Term value, boolean matched) {}
    var walks = meaning.walks();
    var open = new ArrayList<Open>();
    for (var kind : kinds) open.add(new Open(kind.keys, kind.value, false));
    for (var pattern : layer.patterns) {
      var next = new ArrayList<Open>();
      for (var kind : open) {
        var within = kind.keys.and(pattern.keys, walks);
        if (within.isEmpty(walks)) {
          next.add(kind);
          continue;
        }
        next.add(new Open(within, Term.all(kind.value, pattern.value), true));
        var without = kind.keys.and(pattern.keys.not(), walks);
        if (!without.isEmpty(walks)) next.add(new Open(without, kind.value, kind.matched));
      }
      open = next;
      meaning.effort().alternatives(open.size());
    }
    var split = new ArrayList<Pattern>();
    for (var kind : open) {
      var value = kind.matched ? kind.value : Term.all(kind.value, layer.rest);
      if (!meaning.isEmpty(value)) split.add(new Pattern(kind.keys, value));
    }
    return split;
  }
}
