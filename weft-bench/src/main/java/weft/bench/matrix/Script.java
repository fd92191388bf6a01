package weft.bench.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * What is fed to a model, pass by pass. Each sequence has a text that depends on its number and the
 * position alone, so that every way to feed it must give the same.
 */
public record Script(String name, List<Pass> passes) {
  /** One forward pass over several sequences. */
  public record Pass(List<Feed> feeds) {
    public Pass {
      feeds = List.copyOf(feeds);
    }
  }

  /**
   * The tokens of a sequence up to {@code to}, of which the last {@code wanted} rows give logits.
   * Where the sequence is beyond {@code from}, it goes back there first.
   */
  public record Feed(int sequence, int from, int to, int wanted) {}

  public Script {
    passes = List.copyOf(passes);
  }

  /** The rows of all passes together. */
  public int rows() {
    return passes.stream()
        .flatMap(pass -> pass.feeds.stream())
        .mapToInt(feed -> feed.to - feed.from)
        .sum();
  }

  /** The rows that give logits. */
  public int wanted() {
    return passes.stream().flatMap(pass -> pass.feeds.stream()).mapToInt(feed -> feed.wanted).sum();
  }

  /** How far each sequence is in the end, by its number. */
  TreeMap<Integer, Integer> ends() {
    var ends = new TreeMap<Integer, Integer>();
    for (var pass : passes) for (var feed : pass.feeds) ends.put(feed.sequence, feed.to);
    return ends;
  }

  /** A prompt and one token behind it. */
  public static Script prompt(int length) {
    return new Script(
        "prompt of " + length,
        List.of(
            new Pass(List.of(new Feed(0, 0, length, 1))),
            new Pass(List.of(new Feed(0, length, length + 1, 1)))));
  }

  /**
   * So many sequences that have so many rows in one pass, uneven shares of them; then a token each;
   * then a prompt of that length among others' tokens; then drafts, of which the last is taken
   * back; then a token each.
   */
  public static Script batch(int length, int count) {
    var writing = new Writing();
    var lengths = shares(Math.max(length, count), count);
    for (int i = 0; i < count; i++) writing.feed(i, lengths.get(i), 1);
    writing.pass();
    for (int i = 0; i < count; i++) writing.feed(i, 1, 1);
    writing.pass();
    if (count > 1) {
      writing.feed(count, length, 1);
      for (int i = 1; i < count; i++) writing.feed(i, 1, 1);
      writing.pass();
    }
    for (int i = 0; i < count; i++) writing.back(i, 3);
    writing.pass();
    for (int i = count - 1; i >= 0; i--) writing.back(i, 1);
    writing.pass();
    return new Script("length " + length + ", batch " + count, writing.passes);
  }

  /** Half of what is left for each, but at least one row for all. */
  private static List<Integer> shares(int rows, int count) {
    var shares = new ArrayList<Integer>();
    for (int left = rows, others = count - 1; others >= 0; others--) {
      int share = others == 0 ? left : Math.max(1, (left - others) / 2);
      shares.add(share);
      left -= share;
    }
    return shares;
  }

  /**
   * A sequence that comes to each of these lengths in turn, beside one that takes a token a pass.
   */
  public static Script growing(SortedSet<Integer> lengths) {
    var writing = new Writing();
    int done = 0;
    for (int length : lengths) {
      writing.feed(0, length - done, 1);
      writing.feed(1, 1, 1);
      writing.pass();
      done = length;
    }
    return new Script("growing to " + done, writing.passes);
  }

  /** A prompt of every length from one to another, each a sequence of its own. */
  public static Script everyLength(int from, int to) {
    var passes = new ArrayList<Pass>();
    for (int length = from; length <= to; length++) {
      passes.add(new Pass(List.of(new Feed(length, 0, length, 1))));
    }
    return new Script("prompts of " + from + " to " + to, passes);
  }

  /** Passes as they are written, and how far each sequence is. */
  private static final class Writing {
    private final List<Pass> passes = new ArrayList<>();
    private final List<Feed> feeds = new ArrayList<>();
    private final TreeMap<Integer, Integer> ends = new TreeMap<>();

    void feed(int sequence, int rows, int wanted) {
      int from = ends.getOrDefault(sequence, 0);
      feeds.add(new Feed(sequence, from, from + rows, wanted));
      ends.put(sequence, from + rows);
    }

    /** Takes the last token back and feeds so many, all of which are wanted. */
    void back(int sequence, int rows) {
      int from = ends.get(sequence) - 1;
      feeds.add(new Feed(sequence, from, from + rows, rows));
      ends.put(sequence, from + rows);
    }

    void pass() {
      passes.add(new Pass(feeds));
      feeds.clear();
    }
  }
}
