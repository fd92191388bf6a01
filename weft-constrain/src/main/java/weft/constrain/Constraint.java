package weft.constrain;

/**
 * A grammar over a vocabulary: says which tokens may go on a text. What its texts meet is
 * remembered for all of them, within bounds, so that it is worth keeping. Safe for all threads,
 * which it lets in one after the other.
 */
public final class Constraint {
  /** Words of memory, about 32 MiB; beyond it, what is remembered is forgotten and found again. */
  static final int MOST_REMEMBERED = 4 << 20;

  private final Vocabulary vocabulary;
  private final Effort effort = new Effort();
  private final Production start;
  private Memory memory;

  /** What was found so far; texts take their state over into the next. */
  record Memory(Automaton automaton, Masks masks, Room room) {
    static Memory of(Vocabulary vocabulary, Effort effort) {
      var room = new Room();
      var automaton = new Automaton(effort, room);
      return new Memory(automaton, new Masks(automaton, vocabulary, effort, room), room);
    }
  }

  private Constraint(Grammar grammar, Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
    this.memory = Memory.of(vocabulary, effort);
    effort.begin();
    this.start = Productions.of(grammar, memory.automaton::isAlive, effort);
    // What is wrong with it is said now rather than at the first token.
    memory.automaton.start(start);
  }

  /** A grammar over a vocabulary. What cannot be kept within the limits is refused. */
  public static Constraint of(Grammar grammar, Vocabulary vocabulary) {
    return new Constraint(grammar, vocabulary);
  }

  /** At the beginning of a text. */
  public Matcher matcher() {
    return new Matcher(this);
  }

  public Vocabulary vocabulary() {
    return vocabulary;
  }

  Effort effort() {
    return effort;
  }

  Production start() {
    return start;
  }

  /** What is remembered now; asked once at the beginning of what a matcher does. */
  Memory memory() {
    if (memory.room.taken() > MOST_REMEMBERED) memory = Memory.of(vocabulary, effort);
    return memory;
  }
}
