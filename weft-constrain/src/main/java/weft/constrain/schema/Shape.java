package weft.constrain.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A set of values, type by type: those of its arrays and objects are what any of their shapes
 * allows.
 */
record Shape(
    boolean nulls,
    boolean trues,
    boolean falses,
    Numbers numbers,
    Texts texts,
    List<ArrayShape> arrays,
    List<ObjectShape> objects) {
  static final Shape NOTHING =
      new Shape(false, false, false, Numbers.NONE, Texts.NONE, List.of(), List.of());
  static final Shape EVERYTHING =
      new Shape(
          true,
          true,
          true,
          Numbers.ALL,
          Texts.ALL,
          List.of(ArrayShape.ALL),
          List.of(ObjectShape.ALL));

  Shape {
    arrays = List.copyOf(arrays);
    objects = List.copyOf(objects);
  }

  /** One value alone. */
  static Shape of(JsonNode value) {
    return switch (value.getNodeType()) {
      case NULL, MISSING ->
          new Shape(true, false, false, Numbers.NONE, Texts.NONE, List.of(), List.of());
      case BOOLEAN ->
          new Shape(
              false,
              value.booleanValue(),
              !value.booleanValue(),
              Numbers.NONE,
              Texts.NONE,
              List.of(),
              List.of());
      case NUMBER -> NOTHING.withNumbers(Numbers.of(Band.point(Decimals.of(value))));
      case STRING, BINARY, POJO -> NOTHING.withTexts(new Texts.Listed(Set.of(value.asString())));
      case ARRAY -> NOTHING.withArrays(List.of(ArrayShape.of(value)));
      case OBJECT -> NOTHING.withObjects(List.of(ObjectShape.of(value)));
    };
  }

  /** Any of several values. */
  static Shape ofAny(Iterable<JsonNode> values) {
    var texts = new LinkedHashSet<String>();
    var bands = new ArrayList<Band>();
    var shape = NOTHING;
    for (var value : values) {
      if (value.isString()) texts.add(value.stringValue());
      else if (value.isNumber()) bands.add(Band.point(Decimals.of(value)));
      else shape = shape.or(of(value));
    }
    return shape.withTexts(new Texts.Listed(texts)).withNumbers(new Numbers(bands));
  }

  Shape withNumbers(Numbers changed) {
    return new Shape(nulls, trues, falses, changed, texts, arrays, objects);
  }

  Shape withTexts(Texts changed) {
    return new Shape(nulls, trues, falses, numbers, changed, arrays, objects);
  }

  Shape withArrays(List<ArrayShape> changed) {
    return new Shape(nulls, trues, falses, numbers, texts, changed, objects);
  }

  Shape withObjects(List<ObjectShape> changed) {
    return new Shape(nulls, trues, falses, numbers, texts, arrays, changed);
  }

  /** Whether there are no arrays and objects, so that one expression can say it all. */
  boolean isPlain() {
    return arrays.isEmpty() && objects.isEmpty();
  }

  Shape or(Shape other) {
    return new Shape(
        nulls || other.nulls,
        trues || other.trues,
        falses || other.falses,
        numbers.or(other.numbers),
        texts.or(other.texts),
        joined(arrays, other.arrays, ArrayShape.ALL),
        joined(objects, other.objects, ObjectShape.ALL));
  }

  private static <T> List<T> joined(List<T> a, List<T> b, T all) {
    if (a.isEmpty()) return b;
    if (b.isEmpty()) return a;
    if (a.contains(all) || b.contains(all)) return List.of(all);
    var joined = new LinkedHashSet<>(a);
    joined.addAll(b);
    return List.copyOf(joined);
  }
}
