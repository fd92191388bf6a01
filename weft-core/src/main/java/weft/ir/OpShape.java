package weft.ir;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What a record of the IR is made of, read once a class: the one place that knows how to list,
 * replace and rebuild components, so that an op is written as its fields and its type rule alone.
 */
final class OpShape {
  private static final ClassValue<OpShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected OpShape computeValue(Class<?> type) {
          return new OpShape(type);
        }
      };

  private static final NavigableMap<String, Class<?>> OPS = ops(Op.class, new TreeMap<>());

  private final String mnemonic;
  private final RecordComponent[] components;
  private final Constructor<?> constructor;

  private OpShape(Class<?> type) {
    if (!type.isRecord()) throw new IrException(type + " is not a record");
    this.mnemonic = mnemonic(type);
    this.components = type.getRecordComponents();
    try {
      this.constructor =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    } catch (NoSuchMethodException e) {
      throw new AssertionError("a record has its canonical constructor", e);
    }
  }

  private static NavigableMap<String, Class<?>> ops(
      Class<?> type, NavigableMap<String, Class<?>> found) {
    for (var sub : type.getPermittedSubclasses()) {
      if (sub.isRecord()) found.put(mnemonic(sub), sub);
      else ops(sub, found);
    }
    return found;
  }

  private static String mnemonic(Class<?> type) {
    return type.getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** The op of this mnemonic. */
  static Optional<Class<?>> named(String mnemonic) {
    return Optional.ofNullable(OPS.get(mnemonic));
  }

  static SortedSet<String> mnemonics() {
    return Collections.unmodifiableSortedSet(OPS.navigableKeySet());
  }

  static OpShape of(Object record) {
    return SHAPES.get(record.getClass());
  }

  static OpShape of(Class<?> type) {
    return SHAPES.get(type);
  }

  String mnemonic() {
    return mnemonic;
  }

  RecordComponent[] components() {
    return components;
  }

  List<Value> inputs(Object record) {
    var found = new ArrayList<Value>();
    collect(record, found);
    return List.copyOf(found);
  }

  private static void collect(Object part, List<Value> found) {
    if (part instanceof Value v) {
      found.add(v);
    } else if (part instanceof List<?> list) {
      for (var element : list) collect(element, found);
    } else if (hasParts(part)) {
      var shape = of(part);
      for (int i = 0; i < shape.components.length; i++) collect(shape.part(part, i), found);
    }
  }

  private static boolean hasParts(Object part) {
    return part instanceof Record && !(part instanceof Slot || part instanceof Type);
  }

  /** The same record with every value in it, at any depth, replaced. */
  Op map(Op op, UnaryOperator<Value> f) {
    return (Op) map((Object) op, f);
  }

  private static Object map(Object part, UnaryOperator<Value> f) {
    if (part instanceof Value v) return f.apply(v);
    if (part instanceof List<?> list) return list.stream().map(p -> map(p, f)).toList();
    if (!hasParts(part)) return part;
    var shape = of(part);
    var parts = new Object[shape.components.length];
    for (int i = 0; i < parts.length; i++) parts[i] = map(shape.part(part, i), f);
    return shape.build(parts);
  }

  Object part(Object record, int index) {
    try {
      return components[index].getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new AssertionError("a record of the IR is public", e);
    }
  }

  Object build(Object[] parts) {
    try {
      return constructor.newInstance(parts);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException rule) throw rule;
      throw new AssertionError(mnemonic, e);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("a record of the IR is public", e);
    }
  }

  /** The element type of a list component. */
  static Class<?> elementType(RecordComponent component) {
    var type = (ParameterizedType) component.getGenericType();
    return (Class<?>) type.getActualTypeArguments()[0];
  }
}
