package weft.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import weft.backend.Step;
import weft.generate.Album;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Tap;
import weft.lir.Bounds;

/** The steps of a forward pass, cut to what programs take and joined to as few runs as can be. */
final class Chunks {
  /**
   * A recurrent state stops only between passes, and the end of a prompt is what the next one most
   * often changes: so many tokens go in by themselves.
   */
  private static final int TAIL = 32;

  /**
   * Part of a step that fits a program.
   *
   * @param from which of the step's tokens it begins with
   * @param at where its wanted rows go of those that the step wants
   * @param origin of all of its rows
   */
  record Chunk(
      StateSession session,
      int[] tokens,
      int from,
      int wanted,
      int drafted,
      Tap tap,
      List<float[]> beside,
      Logits[] into,
      int at,
      Step.Origin origin) {
    /** Whether rows of pictures are among its tokens. */
    boolean isPictured() {
      for (int token : tokens) if (Album.isRow(token)) return true;
      return false;
    }

    /** What one of its rows is of a picture, while it waits to be run. */
    Optional<Insets.Row> seen(int row) {
      return session.insets().at(session.position() + row);
    }

    /** The position of one of its rows in time (0), down (1) or across (2). */
    int position(int row, int section) {
      return session.insets().position(session.position() + row, section);
    }

    /** Those of its rows that all attend to each other. */
    List<Step.Block> blocks() {
      if (session.insets().isEmpty()) return List.of();
      return session.insets().blocks(session.position(), tokens.length).stream()
          .map(block -> new Step.Block(block.from(), block.to()))
          .toList();
    }
  }

  private final Executables executables;
  private final boolean isRecurrent;
  private final List<Chunk> left = new ArrayList<>();

  Chunks(Executables executables, boolean isRecurrent) {
    this.executables = executables;
    this.isRecurrent = isRecurrent;
  }

  boolean isEmpty() {
    return left.isEmpty();
  }

  void add(Model.Step step, Logits[] into) {
    var limits = executables.limits(bounds(step.tokens().length, step.wanted()));
    var session = (StateSession) step.session();
    int n = step.tokens().length;
    int firstWanted = n - step.wanted();
    int firstWritten = n - step.written();
    int done = 0;
    int begin = session.position();
    session.insets().add(begin, step.tokens(), step.album());
    for (int from = 0; from < n; ) {
      int to = Math.min(n, from + limits.tokens());
      if (to == n && to - from >= 2 * TAIL && isRecurrent) to -= TAIL;
      to = Math.min(to, Math.max(firstWanted, from) + limits.wanted());
      var origin = from < firstWritten ? Step.Origin.READ : Step.Origin.WRITTEN;
      if (origin == Step.Origin.READ) to = Math.min(to, firstWritten);
      to = whole(session.insets(), begin + from, begin + to, limits) - begin;
      int wanted = Math.max(0, to - Math.max(firstWanted, from));
      int drafted = Math.max(0, to - Math.max(n - step.drafted(), from));
      var tokens = Arrays.copyOfRange(step.tokens(), from, to);
      var beside = step.beside().isEmpty() ? step.beside() : step.beside().subList(from, to);
      left.add(
          new Chunk(
              session, tokens, from, wanted, drafted, step.tap(), beside, into, done, origin));
      done += wanted;
      from = to;
    }
  }

  /** Where a chunk that should end before {@code to} ends, for no block is divided. */
  private static int whole(Insets insets, int from, int to, Bounds limits) {
    var block = insets.block(to);
    if (block.isEmpty()) return to;
    if (block.get().from() > from) return block.get().from();
    if (block.get().to() - from > limits.tokens()) {
      throw new LoadException(
          "a picture of %d rows is read at once, but a step of this model has %d rows at most"
              .formatted(block.get().to() - from, limits.tokens()));
    }
    return block.get().to();
  }

  private static Bounds bounds(int tokens, int wanted) {
    return new Bounds(tokens, Math.max(1, wanted));
  }

  /** Takes the chunks of one run off the list: one a session, within the limits. */
  List<Chunk> next() {
    var run = new ArrayList<Chunk>();
    var sessions = new HashSet<StateSession>();
    int tokens = 0;
    int wanted = 0;
    for (var all = left.iterator(); all.hasNext(); ) {
      var chunk = all.next();
      int runTokens = tokens + chunk.tokens.length;
      int runWanted = wanted + chunk.wanted;
      var bounds = bounds(runTokens, runWanted);
      boolean fits = executables.limits(bounds).covers(bounds);
      // A session's chunks run in order, so a later one waits for the next run.
      if (!sessions.add(chunk.session) || !run.isEmpty() && !fits) continue;
      run.add(chunk);
      all.remove();
      tokens = runTokens;
      wanted = runWanted;
    }
    // Those that were written come first, as steps have them.
    run.sort(Comparator.comparing(Chunk::origin));
    return run;
  }

  /** The rows of a run's chunks behind each other. */
  static Step step(List<Chunk> run) {
    int tokens = 0;
    int wanted = 0;
    for (var chunk : run) {
      tokens += chunk.tokens.length;
      wanted += chunk.wanted;
    }
    var ids = new int[tokens];
    var positions = new int[tokens];
    var wantedRows = new int[wanted];
    var parts = new ArrayList<Step.Part>();
    int at = 0;
    int row = 0;
    for (var chunk : run) {
      var state = chunk.session.state();
      int n = chunk.tokens.length;
      for (int i = 0; i < n; i++) {
        // A row of a picture is no token; whoever runs it puts its numbers there.
        ids[at + i] = Math.max(0, chunk.tokens[i]);
        positions[at + i] = chunk.position(i, 0);
      }
      for (int i = n - chunk.wanted; i < n; i++) wantedRows[row++] = at + i;
      parts.add(new Step.Part(state, n, chunk.drafted, chunk.blocks(), chunk.origin));
      at += n;
    }
    return new Step(ids, positions, wantedRows, parts);
  }
}
