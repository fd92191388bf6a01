package weft.generate;

import java.util.ArrayList;
import java.util.List;

/**
 * A bounded number of sequences, lent to one turn at a time. A prompt goes to the idle sequence
 * that already holds most of it; owns them all. Belongs to one thread.
 */
final class SequencePool implements AutoCloseable {
  /** Texts that are remembered for prompts that may go on from them: each holds memory. */
  private static final int KEPT = 4;

  private final Model model;
  private final int capacity;
  private final List<Sequence> idle = new ArrayList<>(); // least recently used first
  private int open;

  SequencePool(Model model, int capacity) {
    this.model = model;
    this.capacity = capacity;
  }

  boolean isFull() {
    return idle.isEmpty() && open == capacity;
  }

  /** A sequence for this prompt; there must be one that is not lent. */
  Sequence lend(int[] prompt) {
    if (isFull()) {
      throw new IllegalStateException("all " + capacity + " sequences are lent");
    }
    int best = -1;
    int most = 0;
    for (int i = 0; i < idle.size(); i++) {
      int shared = idle.get(i).tokens().sharedPrefix(prompt);
      if (shared > most) {
        most = shared;
        best = i;
      }
    }
    if (best >= 0 && isWorthIt(most, prompt.length, idle.get(best).position())) {
      return idle.remove(best);
    }
    if (open < capacity) {
      Sequence fresh = Sequence.open(model);
      open++;
      return fresh;
    }
    return idle.removeFirst();
  }

  /** A short common beginning (a system prompt) is not worth another conversation's tail. */
  private static boolean isWorthIt(int shared, int prompt, int held) {
    return shared >= prompt - shared || shared >= held - shared;
  }

  /** Closes the idle sequence that has waited longest, for its memory; false when there is none. */
  boolean closeIdle() {
    if (idle.isEmpty()) {
      return false;
    }
    discard(idle.removeFirst());
    return true;
  }

  /** Takes a sequence back, to serve a later prompt that begins like its text. */
  void giveBack(Sequence sequence) {
    idle.add(sequence);
    while (idle.size() > KEPT) {
      discard(idle.removeFirst());
    }
  }

  /** Closes a lent sequence whose state is in doubt. */
  void discard(Sequence sequence) {
    open--;
    sequence.close();
  }

  /** Closes the idle sequences. */
  @Override
  public void close() {
    open -= idle.size();
    idle.forEach(Sequence::close);
    idle.clear();
  }
}
