package weft.constrain.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.constrain.ConstrainException;
import weft.constrain.Regex;

/** Works out which values terms allow, each term once. Of one thread. */
final class Meaning {
  private final Effort effort;
  private final Walks walks;
  private final Keywords keywords;
  private final Map<Term, Shape> shapes = new HashMap<>();
  private final Set<Term> working = new HashSet<>();
  private final Map<Term, Boolean> empty = new HashMap<>();
  private final Set<Term> asking = new HashSet<>();
  private boolean assumed;

  Meaning(Document document, Effort effort) {
    this.effort = effort;
    this.walks = new Walks(effort);
    this.keywords = new Keywords(document, this);
  }

  Effort effort() {
    return effort;
  }

  Walks walks() {
    return walks;
  }

  /** The values that a term allows. */
  Shape shape(Term term) {
    var known = shapes.get(term);
    if (known != null) return known;
    if (working.contains(term)) {
      throw new ConstrainException(
          term.place().map(Term.Place::pointer).orElse("the schema")
              + " refers to itself before it says anything; let it refer to itself only within"
              + " properties or items");
    }
    effort.enter();
    working.add(term);
    try {
      var shape =
          switch (term) {
            case Term.Everything _ -> Shape.EVERYTHING;
            case Term.Nothing _ -> Shape.NOTHING;
            case Term.Value(var value) -> Shape.of(value);
            case Term.Place place -> keywords.shape(place);
            case Term.All(List<Term> terms) -> {
              var all = shape(terms.getFirst());
              for (var next : terms.subList(1, terms.size())) all = and(all, shape(next));
              yield all;
            }
            case Term.Any(List<Term> terms) -> {
              var any = Shape.NOTHING;
              for (var next : terms) any = any.or(shape(next));
              effort.alternatives(any.objects().size() + any.arrays().size());
              yield any;
            }
            case Term.Not(Term within) -> not(shape(within));
          };
      shapes.put(term, shape);
      return shape;
    } catch (Unplaced e) {
      throw e.at(term);
    } finally {
      effort.leave();
      working.remove(term);
    }
  }

  /** The values that both allow; properties in the order of the first. */
  Shape and(Shape a, Shape b) {
    if (a.equals(Shape.EVERYTHING)) return b;
    if (b.equals(Shape.EVERYTHING)) return a;
    return new Shape(
        a.nulls() && b.nulls(),
        a.trues() && b.trues(),
        a.falses() && b.falses(),
        a.numbers().and(b.numbers(), effort),
        a.texts().and(b.texts(), walks),
        bothArrays(a.arrays(), b.arrays()),
        bothObjects(a.objects(), b.objects()));
  }

  private List<ArrayShape> bothArrays(List<ArrayShape> a, List<ArrayShape> b) {
    if (a.equals(List.of(ArrayShape.ALL))) return b;
    if (b.equals(List.of(ArrayShape.ALL))) return a;
    var both = new LinkedHashSet<ArrayShape>();
    boolean several = a.size() > 1 || b.size() > 1;
    for (var x : a) {
      for (var y : b) {
        effort.step();
        var z = x.and(y);
        if (z.least() <= z.greatest() && !(several && isEmpty(z))) both.add(z);
      }
      effort.alternatives(both.size());
    }
    return List.copyOf(both);
  }

  private List<ObjectShape> bothObjects(List<ObjectShape> a, List<ObjectShape> b) {
    if (a.equals(List.of(ObjectShape.ALL))) return b;
    if (b.equals(List.of(ObjectShape.ALL))) return a;
    var both = new LinkedHashSet<ObjectShape>();
    boolean several = a.size() > 1 || b.size() > 1;
    for (var x : a) {
      var some = new ArrayList<ObjectShape>();
      boolean whole = false;
      for (var y : b) {
        effort.step(1 + (x.properties().size() + y.properties().size()) / 2);
        var z = x.and(y, walks);
        if (z.least() > z.greatest() || several && isEmpty(z)) continue;
        some.add(z);
        // One alternative that takes nothing away makes all the others needless.
        whole |= z.equals(x);
      }
      if (whole) both.add(x);
      else both.addAll(some);
      effort.alternatives(both.size());
    }
    return List.copyOf(both);
  }

  /** The values that a shape does not allow. */
  Shape not(Shape shape) {
    var arrays = List.of(ArrayShape.ALL);
    for (var array : shape.arrays()) arrays = bothArrays(arrays, array.not());
    var objects = List.of(ObjectShape.ALL);
    for (var object : shape.objects()) objects = bothObjects(objects, object.not(walks));
    return new Shape(
        !shape.nulls(),
        !shape.trues(),
        !shape.falses(),
        shape.numbers().not(effort),
        shape.texts().not(),
        arrays,
        objects);
  }

  /** Whether a term surely allows no value. */
  boolean isEmpty(Term term) {
    if (term instanceof Term.Nothing) return true;
    if (term instanceof Term.Everything || term instanceof Term.Value) return false;
    var known = empty.get(term);
    if (known != null) return known;
    if (working.contains(term)) return false;
    if (asking.contains(term)) {
      // A value that would have to hold itself cannot be written.
      assumed = true;
      return true;
    }
    boolean before = assumed;
    assumed = false;
    effort.enter();
    asking.add(term);
    try {
      boolean is = isEmpty(shape(term));
      if (!is || !assumed) empty.put(term, is);
      return is;
    } catch (ConstrainException | Unplaced _) {
      // What is being worked out, or cannot be, counts as something; whoever writes it will know.
      return false;
    } finally {
      effort.leave();
      asking.remove(term);
      assumed |= before;
    }
  }

  boolean isEmpty(Shape shape) {
    return !shape.nulls()
        && !shape.trues()
        && !shape.falses()
        && shape.numbers().isEmpty()
        && shape.texts().isEmpty(walks)
        && shape.arrays().stream().allMatch(this::isEmpty)
        && shape.objects().stream().allMatch(this::isEmpty);
  }

  private boolean isEmpty(ArrayShape array) {
    if (array.least() > array.greatest()) return true;
    for (int i = 0; i < Math.min(array.least(), array.first().size()); i++) {
      if (isEmpty(array.first().get(i))) return true;
    }
    if (array.least() > array.first().size() && isEmpty(array.rest())) return true;
    for (var count : array.counts()) {
      if (count.least() == 0) continue;
      boolean found = !isEmpty(Term.all(array.rest(), count.item()));
      for (int i = count.from(); i < array.first().size() && !found; i++) {
        found = !isEmpty(Term.all(array.first().get(i), count.item()));
      }
      if (!found) return true;
    }
    return false;
  }

  private boolean isEmpty(ObjectShape object) {
    if (object.least() > object.greatest()) return true;
    int required = 0;
    for (var property : object.properties().values()) {
      if (!property.required()) continue;
      required++;
      if (isEmpty(property.value())) return true;
    }
    if (required > object.greatest()) return true;
    if (required >= object.least() && object.some().isEmpty()) return false;
    int possible = 0;
    for (var property : object.properties().values()) {
      if (!isEmpty(property.value())) possible++;
    }
    var others = object.others(this);
    if (possible < object.least() && others.isEmpty()) return true;
    for (var some : object.some()) if (!isPossible(some, object, others)) return true;
    return false;
  }

  private boolean isPossible(
      ObjectShape.Some some, ObjectShape object, List<ObjectShape.Pattern> others) {
    for (var entry : object.properties().entrySet()) {
      if (some.keys().contains(entry.getKey(), walks)
          && !isEmpty(Term.all(entry.getValue().value(), some.value()))) {
        return true;
      }
    }
    for (var other : others) {
      if (!other.keys().and(some.keys(), walks).isEmpty(walks)
          && !isEmpty(Term.all(other.value(), some.value()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether counts have no end. */
  static boolean isUnbounded(int count) {
    return count == Regex.UNBOUNDED;
  }
}
