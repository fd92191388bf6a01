package weft.constrain;

/**
 * How far one text has come under a {@link Constraint}. Of one thread at a time; several of one
 * constraint may be of different threads.
 */
public final class Matcher {
  private final Constraint constraint;
  private Constraint.Memory memory;
  private State state;

  Matcher(Constraint constraint) {
    this.constraint = constraint;
    synchronized (constraint) {
      constraint.effort().begin();
      this.memory = constraint.memory();
      this.state = memory.automaton().start(constraint.start());
    }
  }

  private Matcher(Matcher other) {
    this.constraint = other.constraint;
    this.memory = other.memory;
    this.state = other.state;
  }

  /** Another text that has come as far as this one. */
  public Matcher copy() {
    return new Matcher(this);
  }

  /** The tokens that may come next; those that end the text among them, where it may end. */
  public TokenSet allowed() {
    synchronized (constraint) {
      begin();
      return memory.masks().of(state);
    }
  }

  /** Adds a token to the text, if it may come next; otherwise nothing changes. */
  public boolean accept(int token) {
    var vocabulary = constraint.vocabulary();
    if (token < 0 || token >= vocabulary.size()) return false;
    if (vocabulary.isEnd(token)) return isComplete();
    byte[] text = vocabulary.text(token);
    return text.length > 0 && accept(text);
  }

  /** Adds bytes to the text, if they may come next; otherwise nothing changes. */
  public boolean accept(byte[] bytes) {
    synchronized (constraint) {
      begin();
      var next = state;
      for (byte value : bytes) {
        next = memory.automaton().after(next, value & 0xFF);
        if (next.isDead()) return false;
      }
      state = next;
      return true;
    }
  }

  /** Whether the text may end here. */
  public boolean isComplete() {
    return state.isEnd;
  }

  /** Whether the text must end here. */
  public boolean isOver() {
    return state.lexemes.length == 0;
  }

  private void begin() {
    constraint.effort().begin();
    var current = constraint.memory();
    if (current != memory) {
      state = new Migration(current.automaton()).state(state);
      memory = current;
    }
  }
}
