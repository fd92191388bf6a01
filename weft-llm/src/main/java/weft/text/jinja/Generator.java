package weft.text.jinja;

import java.util.Iterator;

/** Values made one at a time and only once, as Python's generators and iterators do. */
final class Generator implements Value, Iterator<Value> {
  /**
   * A chain of lazy filters nests as deep as the chain is long, so each link pays for the Java
   * frames it takes.
   */
  private static final int LEVELS = 3;

  /** What a generator and what it draws from take, a chain of them once for each link. */
  private static final int ITEMS = 2;

  private final Run run;
  private final String typeName;
  private final Iterator<Value> source;

  private Generator(Run run, String typeName, Iterator<Value> source) {
    run.budget().items(ITEMS);
    this.run = run;
    this.typeName = typeName;
    this.source = source;
  }

  static Generator of(Run run, Iterator<Value> source) {
    return new Generator(run, "generator", source);
  }

  static Generator reversed(Run run, Value of, Iterator<Value> source) {
    return new Generator(run, of.typeName() + "_reverseiterator", source);
  }

  @Override
  public boolean hasNext() {
    run.budget().enter(LEVELS);
    try {
      return source.hasNext();
    } finally {
      run.budget().leave(LEVELS);
    }
  }

  @Override
  public Value next() {
    run.budget().step();
    run.budget().enter(LEVELS);
    try {
      return source.next();
    } finally {
      run.budget().leave(LEVELS);
    }
  }

  @Override
  public String typeName() {
    return typeName;
  }
}
