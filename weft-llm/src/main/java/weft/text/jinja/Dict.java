package weft.text.jinja;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A dictionary in order of insertion, whose keys are equal when Python says so; complete before a
 * template sees it.
 */
final class Dict implements Value {
  private static final int MAX_KEY_PARTS = 10_000;
  private static final int MAX_KEY_DEPTH = 100;

  /** What an empty one takes, in items. */
  private static final int EMPTY = 4;

  /** A key with its value and their place. */
  private static final int ENTRY = 2;

  /** Who pays for what it holds. */
  @FunctionalInterface
  private interface Payer {
    void items(long count);
  }

  /** A key with its value. */
  record Entry(Value key, Value value) {}

  /** By canonical key: see {@link #canonical}. */
  private final Map<Object, Entry> entries = new LinkedHashMap<>();

  private final Payer payer;

  private Dict(Payer payer) {
    this.payer = payer;
    payer.items(EMPTY);
  }

  /** A dictionary that a rendering makes, and pays for as it grows. */
  Dict(Run run) {
    this(run.budget()::items);
  }

  /** A dictionary of the caller's, whose size has widened the limits. */
  static Dict given() {
    return new Dict(count -> {});
  }

  /** Adds or replaces; a replaced entry keeps its first key and its place, as in Python. */
  void put(Value key, Value value) {
    payer.items(ENTRY);
    entries.merge(
        canonical(key, payer), new Entry(key, value), (old, added) -> new Entry(old.key(), value));
  }

  void put(String key, Value value) {
    put(new Str(key), value);
  }

  void putAll(Dict other) {
    other.entries().forEach(entry -> put(entry.key(), entry.value()));
  }

  Optional<Value> get(Value key) {
    return Optional.ofNullable(entries.get(canonical(key, count -> {}))).map(Entry::value);
  }

  Optional<Value> get(String key) {
    return Optional.ofNullable(entries.get(key)).map(Entry::value);
  }

  boolean has(Value key) {
    return entries.containsKey(canonical(key, count -> {}));
  }

  Collection<Entry> entries() {
    return entries.values();
  }

  int size() {
    return entries.size();
  }

  @Override
  public String typeName() {
    return "dict";
  }

  @Override
  public boolean truth() {
    return !entries.isEmpty();
  }

  static boolean isHashable(Value key) {
    return switch (key) {
      case Listing list -> false;
      case Dict dict -> false;
      case View view -> view.kind() == View.Kind.VALUES;
      default -> true;
    };
  }

  /** A Java object that equals another exactly when Python holds the two keys equal. */
  static Object canonical(Run run, Value key) {
    return canonical(key, run.budget()::items);
  }

  private static Object canonical(Value key, Payer payer) {
    return key instanceof Tuple tuple
        ? canonical(tuple, new int[] {MAX_KEY_PARTS}, 0, payer)
        : simple(key);
  }

  /**
   * A tuple's parts may share structure, so that few values make a key without end: {@code left}
   * bounds it.
   */
  private static List<Object> canonical(Tuple tuple, int[] left, int depth, Payer payer) {
    payer.items(tuple.size() + 1L);
    left[0] -= tuple.size() + 1;
    if (left[0] < 0 || depth > MAX_KEY_DEPTH) {
      throw Failure.limit("a tuple of more than " + MAX_KEY_PARTS + " parts cannot be a key");
    }
    List<Object> items = new ArrayList<>(tuple.size());
    for (Value item : tuple.items()) {
      items.add(
          item instanceof Tuple inner ? canonical(inner, left, depth + 1, payer) : simple(item));
    }
    return items;
  }

  private static Object simple(Value key) {
    return switch (key) {
      case Text text -> text.text();
      case Int(long value) -> value;
      case Bool bool -> (long) bool.ordinal();
      case BigInt(var big) -> big;
      case Real(double value) -> canonical(value);
      case Undefined undefined -> Undefined.class;
      case Listing list -> throw unhashable(list);
      case Dict dict -> throw unhashable(dict);
      case View view when view.kind() != View.Kind.VALUES -> throw unhashable(view);
      case Value other -> other;
    };
  }

  private static Object canonical(double value) {
    if (value != Math.rint(value) || Double.isInfinite(value)) {
      return value;
    }
    return switch (Numbers.truncate(value)) {
      case Int(long whole) -> (Object) whole;
      case Value.Whole big -> big.big();
    };
  }

  private static Failure unhashable(Value key) {
    return Failure.runtime("unhashable type: '" + key.typeName() + "'");
  }
}
