package weft.constrain;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Finds which tokens a state takes. Tokens that stay within a lexeme depend on it alone, and those
 * that many texts are free to use are known at once; only tokens that go beyond a lexeme need what
 * is to come behind it. What was found is remembered. Of one thread at a time.
 */
final class Masks {
  private static final long[] NO_BITS = {};

  /** More tokens than this are kept as bits. */
  private static final int MANY = 1_024;

  /**
   * What a lexeme takes, whatever is behind it.
   *
   * @param others the tokens that are not told by {@code bits}
   * @param more those of them that stay within the lexeme
   * @param ends their beginnings that may be the whole lexeme, as nodes with children
   */
  private record Within(boolean isWide, Trie others, long[] bits, int[] more, int[] ends) {}

  private final Automaton automaton;
  private final Room room;
  private final Vocabulary vocabulary;
  private final Walk walk;
  private final Freedom freedom;
  private final Within narrow;
  private final Map<Residual, Within> withins = new HashMap<>();
  private final Map<State, TokenSet> known = new LinkedHashMap<>();

  Masks(Automaton automaton, Vocabulary vocabulary, Effort effort, Room room) {
    this.room = room;
    this.automaton = automaton;
    this.vocabulary = vocabulary;
    this.walk = new Walk(automaton, vocabulary, effort);
    this.freedom = new Freedom(automaton, room);
    this.narrow = new Within(false, vocabulary.trie(), NO_BITS, new int[0], new int[0]);
  }

  TokenSet of(State state) {
    var before = known.get(state);
    if (before != null) return before;
    var found = find(state);
    known.put(state, found);
    room.take(16 + found.words());
    return found;
  }

  /** Where the first token begins that ends behind some bytes, after which a state is reached. */
  int settled(byte[] bytes, State end) {
    var trie = vocabulary.trie();
    for (int from = Math.max(0, bytes.length - trie.deepest + 1); from < bytes.length; from++) {
      int node = trie.find(bytes, from);
      if (node < 0) continue;
      var found = new Ints();
      walk.below(trie, node, end, found);
      if (found.size() > 0) return from;
    }
    return bytes.length;
  }

  private TokenSet find(State state) {
    var found = new Ints();
    var bits = NO_BITS;
    boolean isOwn = false;
    var lexemes = new ArrayList<Residual>();
    var stacks = new ArrayList<Stack>();
    for (int i = 0; i < state.lexemes.length; i++) {
      var within = within(state.lexemes[i]);
      if (!within.isWide) {
        lexemes.add(state.lexemes[i]);
        stacks.add(state.stacks[i]);
        continue;
      }
      isOwn |= bits.length > 0 && bits != within.bits;
      bits = union(bits, within.bits);
      found.addAll(within.more);
      if (within.ends.length == 0) continue;
      var behind = automaton.opened(state.stacks[i]);
      if (behind.lexemes.length == 0) continue;
      for (int node : within.ends) walk.below(within.others, node, behind, found);
    }
    if (!lexemes.isEmpty()) {
      boolean isAll = lexemes.size() == state.lexemes.length;
      var rest = isAll ? state : automaton.of(lexemes, stacks, false);
      walk.all(vocabulary.trie(), rest, found, new Ints());
    }
    if (state.isEnd) found.addAll(vocabulary.ends());
    int[] more = found.toSet();
    if (bits.length == 0 && more.length > MANY) {
      bits = new long[(vocabulary.size() + 63) / 64];
      isOwn = true;
      for (int token : more) bits[token >> 6] |= 1L << token;
      more = new int[0];
    }
    return new TokenSet(vocabulary.size(), bits, more, isOwn);
  }

  private static long[] union(long[] first, long[] second) {
    if (first.length == 0 || first == second) return second;
    var union = first.clone();
    for (int i = 0; i < union.length; i++) union[i] |= second[i];
    return union;
  }

  private Within within(Residual lexeme) {
    var before = withins.get(lexeme);
    if (before != null) return before;
    var found = lexeme.kind == Residual.Kind.TEXT ? narrow : find(lexeme);
    withins.put(lexeme, found);
    room.take(16 + found.more.length / 2 + found.ends.length / 2);
    return found;
  }

  private Within find(Residual lexeme) {
    for (var slice : Slice.values()) {
      int count = freedom.of(lexeme, slice);
      if (count == 0) continue;
      var share = vocabulary.share(slice);
      var bits = share.upTo().get(Math.min(count, share.upTo().size() - 1));
      var found = new Ints();
      var ends = new Ints();
      walk.all(share.others(), automaton.alone(lexeme), found, ends);
      return new Within(true, share.others(), bits, found.toArray(), ends.toArray());
    }
    return narrow;
  }
}
