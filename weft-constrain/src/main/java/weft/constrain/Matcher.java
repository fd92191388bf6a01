package weft.constrain;

import java.io.ByteArrayOutputStream;

/**
 * How far one text has come under a {@link Constraint}. Of one thread at a time; several of one
 * constraint may be of different threads.
 */
public final class Matcher {
  private static final int LONGEST_FORCED = 4_096;

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
    byte[] text = vocabulary.shared(token);
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

  /**
   * The bytes that must come next, as far as there is no choice; the text does not end among them.
   */
  public byte[] forced() {
    synchronized (constraint) {
      begin();
      var bytes = new ByteArrayOutputStream();
      var automaton = memory.automaton();
      for (var at = state; bytes.size() < LONGEST_FORCED && !at.isEnd; ) {
        int only = automaton.onlyByte(at);
        if (only < 0) break;
        bytes.write(only);
        at = automaton.after(at, only);
      }
      return bytes.toByteArray();
    }
  }

  /**
   * How many bytes of what is forced no token can hold that goes on behind it: a tokenizer cuts
   * them the same whatever follows.
   */
  public int settled(byte[] forced) {
    synchronized (constraint) {
      begin();
      var end = state;
      for (byte value : forced) end = memory.automaton().after(end, value & 0xFF);
      return memory.masks().settled(forced, end);
    }
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
