package weft.constrain;

/**
 * A part of a grammar as the automaton uses it: every one can be completed to a text, and a rule
 * does not begin with itself. Compared by identity.
 */
sealed interface Production {
  /** A text that an expression matches. */
  final class Lexeme implements Production {
    final Regex regex;

    Lexeme(Regex regex) {
      this.regex = regex;
    }
  }

  /** One behind the other; at least two. */
  final class Sequence implements Production {
    final Production[] parts;

    /** What is to come behind each but the last. */
    final Frame[] rests;

    Sequence(Production[] parts) {
      this.parts = parts;
      this.rests = new Frame[parts.length - 1];
      for (int i = 0; i < rests.length; i++) rests[i] = new Frame(this, i + 1, 0);
    }
  }

  /** Any of the parts; none is nothing. */
  final class Choice implements Production {
    final Production[] parts;

    Choice(Production[] parts) {
      this.parts = parts;
    }
  }

  final class Repeat implements Production {
    final Production part;
    final int least;
    final int greatest;

    Repeat(Production part, int least, int greatest) {
      this.part = part;
      this.least = least;
      this.greatest = greatest;
    }
  }

  /** A rule, which may be within itself. */
  final class Reference implements Production {
    private Production to = NONE;

    Production to() {
      return to;
    }

    void define(Production production) {
      to = production;
    }
  }

  /** The empty text. */
  Production EMPTY = new Lexeme(Regex.EMPTY);

  /** No text at all. */
  Production NONE = new Choice(new Production[0]);

  /**
   * A place in a production to go on from.
   *
   * @param at the index of the next part of a sequence, or the least count that is left of a
   *     repetition
   * @param greatest the greatest count that is left of a repetition
   */
  record Frame(Production production, int at, int greatest) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Frame(var p, int a, int g)
          && p == production
          && a == at
          && g == greatest;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(production) * 31 + at * 7 + greatest;
    }
  }
}
