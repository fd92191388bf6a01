package weft.constrain;

/** Goes through the tokens of a trie as far as a state of an automaton lets them. */
final class Walk {
  private final Automaton automaton;
  private final Vocabulary vocabulary;
  private final Effort effort;
  private State[] path = new State[64];

  Walk(Automaton automaton, Vocabulary vocabulary, Effort effort) {
    this.automaton = automaton;
    this.vocabulary = vocabulary;
    this.effort = effort;
  }

  /** Finds all tokens of a trie that a state takes, and the nodes at which the text may end. */
  void all(Trie trie, State start, Ints found, Ints ends) {
    go(trie, 0, trie.size(), 0, start, found, ends);
  }

  /** Finds the tokens below a node that a state takes. */
  void below(Trie trie, int node, State start, Ints found) {
    go(trie, node + 1, trie.ends[node], trie.depths[node], start, found, new Ints());
  }

  private void go(Trie trie, int from, int to, int depth, State start, Ints found, Ints ends) {
    if (path.length <= trie.deepest) path = new State[trie.deepest + 1];
    var dead = automaton.dead();
    path[depth] = start;
    int looked = 0;
    for (int i = from; i < to; looked++) {
      int level = trie.depths[i];
      int value = trie.labels[i] & 0xFF;
      var before = path[level - 1];
      var next = before.next.length == 0 ? null : before.next[value];
      if (next == null) next = automaton.after(before, value);
      if (next == dead) {
        i = trie.ends[i];
        continue;
      }
      path[level] = next;
      for (int token = trie.tokens[i]; token >= 0; token = vocabulary.sameAs(token)) {
        found.add(token);
      }
      if (next.isEnd && trie.ends[i] > i + 1) ends.add(i);
      i++;
    }
    effort.spend(looked / 8);
  }
}
