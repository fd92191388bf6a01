package weft.text.jinja;

/**
 * A filter, test, method or function that comes with the language; {@code self} is what it is
 * applied to.
 */
@FunctionalInterface
interface Builtin {
  Value apply(Run run, Value self, Arguments arguments);
}
