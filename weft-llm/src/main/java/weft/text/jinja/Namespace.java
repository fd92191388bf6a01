package weft.text.jinja;

/** What {@code namespace()} gives: the only value whose attributes a template may set. */
record Namespace(Dict attributes) implements Value {
  @Override
  public String typeName() {
    return "Namespace";
  }
}
