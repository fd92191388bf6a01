package weft.load;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.backend.Executable;
import weft.backend.NoMemoryException;
import weft.backend.NoRoomException;
import weft.backend.StatePool;
import weft.backend.Step;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Session;
import weft.generate.Tap;
import weft.net.Net;

/**
 * A step of a token for each of some sessions that was told to the device before anybody asked for
 * it: its tokens are the greatest of the rows that the step before leaves. While the device runs
 * it, the host chooses those tokens, makes text of them and sees who goes on. Sessions look as if
 * they had not been fed, and are taken back where something else is asked for.
 *
 * @param run the sessions in the order of their rows
 * @param last what runs the step before
 * @param executable what runs this one
 */
record Ahead(List<Chunks.Chunk> run, Executable last, Executable executable) {
  /** Whether all sessions of a batch were fed a token, and are fed the greatest next. */
  static boolean isKnown(List<Model.Step> batch) {
    for (var step : batch) {
      boolean isKnown = step.next() == Model.Next.GREATEST && step.wanted() == 1;
      if (!isKnown || step.tokens().length != 1 || !step.tap().isNone()) return false;
    }
    return true;
  }

  /**
   * Tells of the step behind one that was told; of none where the device does not follow itself, or
   * where a session has no room for another token. A device without memory for a program that would
   * run it is a {@link NoMemoryException}, and all is as it was.
   *
   * @param before the sessions of that step, in the order of their rows
   */
  static Optional<Ahead> tell(
      List<Chunks.Chunk> before,
      Executable last,
      Executables executables,
      StatePool pool,
      int context) {
    long needed = 0;
    for (var chunk : before) {
      if (chunk.session().position() >= context) return Optional.empty();
      needed += chunk.session().state().needs(1, 0);
    }
    if (needed > pool.free()) return Optional.empty();
    // Asked first: a program that follows none has no twin.
    if (!last.leads(Net.LOGITS)) return Optional.empty();
    var twin = executables.twin(last);
    if (twin.isEmpty()) return Optional.empty();
    var executable = twin.get();
    var run = new ArrayList<Chunks.Chunk>();
    for (var chunk : before) {
      var session = chunk.session();
      run.add(
          new Chunks.Chunk(
              session,
              new int[1],
              0,
              1,
              0,
              Tap.NONE,
              List.of(),
              new Logits[1],
              0,
              Step.Origin.WRITTEN));
    }
    try {
      executable.follow(Chunks.step(run), last, Net.LOGITS);
    } catch (NoRoomException full) {
      // Nothing was fed, and nobody has asked for it.
      return Optional.empty();
    }
    run.forEach(chunk -> chunk.session().runAhead());
    return Optional.of(new Ahead(run, last, executable));
  }

  /** Whether this is what a batch asks for: the same sessions, and the tokens that came. */
  boolean is(List<Model.Step> batch) {
    if (batch.size() != run.size()) return false;
    var rows = rowsOf();
    var token = new int[1];
    var logit = new float[1];
    for (var step : batch) {
      var row = rows.get(step.session());
      if (row == null || !run.get(row).session().isAhead()) return false;
      if (step.tokens().length != 1 || step.wanted() != 1 || step.drafted() > 0) return false;
      if (step.written() != 1 || !step.tap().isNone() || !step.beside().isEmpty()) return false;
      last.row(Net.LOGITS, row).greatest(1, token, logit);
      if (token[0] != step.tokens()[0]) return false;
    }
    return rows.size() == batch.size();
  }

  private Map<Session, Integer> rowsOf() {
    var rows = new IdentityHashMap<Session, Integer>();
    for (int i = 0; i < run.size(); i++) rows.put(run.get(i).session(), i);
    return rows;
  }

  void catchUp() {
    run.forEach(chunk -> chunk.session().catchUp());
  }

  void takeBack() {
    run.forEach(chunk -> chunk.session().takeBack());
  }

  /** The row of logits of each step of the batch that this is. */
  List<Logits[]> rows(List<Model.Step> batch) {
    var rows = rowsOf();
    var results = new ArrayList<Logits[]>();
    for (var step : batch) {
      var row = executable.row(Net.LOGITS, rows.get(step.session()));
      results.add(new Logits[] {new DeviceLogits(row)});
    }
    return results;
  }
}
