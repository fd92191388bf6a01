package weft.generate;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Texts at rest, for prompts that begin like them: a tree of them for each isolation key. The least
 * recently used goes when memory is wanted. Owns the sequences that it keeps. Belongs to one
 * thread.
 */
final class PrefixCache implements AutoCloseable {
  /** However little each takes, a prompt is compared with no more. */
  static final int MOST_TEXTS = 1024;

  /** Beside the first, so many states of one conversation are kept where it cannot go back. */
  private static final int STOPS = 4;

  /** A text at rest. Two are never equal: each is its own sequence. */
  private record Kept(String key, Sequence sequence) {
    private int[] text() {
      return sequence.tokens().toArray();
    }
  }

  /** A sequence that begins like some text, and for how many tokens it can be had so. */
  record Beginning(Sequence of, int length) {}

  private final Model model;
  private final long limit;
  private final Map<String, PrefixTree<Kept>> trees = new HashMap<>();
  private final SequencedSet<Kept> byUse = new LinkedHashSet<>();

  PrefixCache(Model model, double share) {
    this.model = model;
    long all =
        model.memory().isBounded() ? model.memory().budget() : Runtime.getRuntime().maxMemory() / 2;
    this.limit = (long) (share * all);
  }

  int size() {
    return byUse.size();
  }

  /**
   * The text at rest from which most of this one can be had, and how much: at most all but its last
   * token.
   */
  Optional<Beginning> find(String key, int[] text) {
    if (!trees.containsKey(key)) return Optional.empty();
    PrefixTree.Match<Kept> match = trees.get(key).match(text);
    int wanted = Math.min(match.shared(), text.length - 1);
    Optional<Beginning> best = Optional.empty();
    for (List<Kept> kept : List.of(match.beyond(), match.along().reversed())) {
      for (Kept one : kept) {
        int reached = one.sequence.session().nearest(wanted);
        if (reached > best.map(Beginning::length).orElse(0)) {
          best = Optional.of(new Beginning(one.sequence, reached));
        }
        // All of it is had, and where sessions go back anywhere, no other has more.
        if (best.isPresent() && best.get().length() == wanted) return best;
        if (model.rewindsAnywhere()) break;
      }
    }
    return best;
  }

  /**
   * A sequence that has seen a beginning, for the caller to close. A text at rest that has no more
   * than that is given away itself, where others can be had from what becomes of it; all else is
   * forked.
   */
  Sequence begin(String key, Beginning beginning) {
    var kept = new Kept(key, beginning.of);
    if (!byUse.contains(kept)) return beginning.of.fork(beginning.length);
    if (!model.rewindsAnywhere() || beginning.length < beginning.of.position() - 1) {
      use(kept);
      return beginning.of.fork(beginning.length);
    }
    forget(kept);
    beginning.of.rewind(beginning.length);
    return beginning.of;
  }

  /**
   * Keeps a sequence, which is its own from now on, or closes it where another has all of its text.
   */
  void keep(String key, Sequence sequence) {
    int[] text = sequence.tokens().toArray();
    if (text.length == 0 || limit == 0) {
      sequence.close();
      return;
    }
    PrefixTree<Kept> tree = trees.computeIfAbsent(key, _ -> new PrefixTree<>());
    if (model.rewindsAnywhere()) {
      PrefixTree.Match<Kept> match = tree.match(text);
      if (match.shared() == text.length && !match.beyond().isEmpty()) {
        use(match.beyond().getFirst());
        sequence.close();
        return;
      }
      match.along().forEach(this::drop);
    } else {
      thin(tree.match(text).along());
    }
    tree = trees.computeIfAbsent(key, _ -> new PrefixTree<>());
    var kept = new Kept(key, sequence);
    tree.put(text, kept)
        .ifPresent(
            before -> {
              byUse.remove(before);
              before.sequence.close();
            });
    byUse.add(kept);
    trim();
  }

  /**
   * Of the states on the way of one text the first and the last few stay: what all share, and where
   * a conversation is.
   */
  private void thin(List<Kept> along) {
    for (int i = 1; i < along.size() - STOPS; i++) drop(along.get(i));
  }

  /** The last text stays even so: whoever goes on with it has no other. */
  private void trim() {
    while (byUse.size() > MOST_TEXTS || model.memory().used() > limit && byUse.size() > 1) {
      drop(byUse.getFirst());
    }
  }

  /** Drops the text that has waited longest, another than this one's; false when there is none. */
  boolean evict(Optional<Beginning> spared) {
    for (Kept kept : byUse) {
      if (spared.filter(beginning -> beginning.of == kept.sequence).isPresent()) continue;
      drop(kept);
      return true;
    }
    return false;
  }

  private void drop(Kept kept) {
    forget(kept);
    kept.sequence.close();
  }

  private void forget(Kept kept) {
    byUse.remove(kept);
    PrefixTree<Kept> tree = trees.get(kept.key);
    tree.remove(kept.text());
    if (tree.isEmpty()) trees.remove(kept.key);
  }

  private void use(Kept kept) {
    byUse.remove(kept);
    byUse.add(kept);
  }

  @Override
  public void close() {
    byUse.forEach(kept -> kept.sequence.close());
    byUse.clear();
    trees.clear();
  }
}
