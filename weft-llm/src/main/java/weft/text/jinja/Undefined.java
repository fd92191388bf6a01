package weft.text.jinja;

/**
 * What a missing variable or attribute gives: it prints as nothing and is empty, and any other use
 * fails with its reason.
 */
record Undefined(Reason reason) implements Value {

  /** Says why the value is missing; made only when the value is used. */
  @FunctionalInterface
  interface Reason {
    String text();
  }

  static Undefined named(String name) {
    return new Undefined(() -> "'" + name + "' is undefined");
  }

  static Undefined because(String reason) {
    return new Undefined(() -> reason);
  }

  static Undefined attribute(Value object, String name) {
    return new Undefined(() -> "'" + describe(object) + "' has no attribute '" + name + "'");
  }

  static Undefined element(Value object, Value key) {
    return new Undefined(() -> describe(object) + " has no element " + Printer.brief(key));
  }

  static Undefined unsafe(Value object, String name) {
    return new Undefined(
        () ->
            "access to attribute '"
                + name
                + "' of '"
                + object.typeName()
                + "' object is unsafe: the sandbox forbids it");
  }

  Failure failure() {
    return Failure.runtime(reason.text());
  }

  private static String describe(Value object) {
    return object == None.NONE ? "None" : object.typeName() + " object";
  }

  @Override
  public String typeName() {
    return "Undefined";
  }

  @Override
  public boolean truth() {
    return false;
  }
}
