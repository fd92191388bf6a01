package weft.text.jinja;

/** What {@code joiner()} gives: nothing on the first call, its separator on each later one. */
final class Joiner implements Value.Callable {
  private final Value separator;
  private boolean used;

  Joiner(Value separator) {
    this.separator = separator;
  }

  @Override
  public Value call(Run run, Arguments arguments) {
    arguments.bind("joiner");
    if (used) {
      return separator;
    }
    used = true;
    return Str.EMPTY;
  }

  @Override
  public String typeName() {
    return "Joiner";
  }
}
