package weft.bench.matrix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.generate.Logits;
import weft.generate.Model;
import weft.generate.Session;

/** Plays scripts to a model, with texts of a seed. */
final class Player {
  /**
   * A row of logits.
   *
   * @param position of the token behind which it was wanted
   * @param token that the model would choose
   */
  record Row(int sequence, int position, int token, float[] logits) {}

  private final Model model;
  private final long seed;

  Player(Model model, long seed) {
    this.model = model;
    this.seed = seed;
  }

  /** All rows that a script wants, in its order. */
  List<Row> play(Script script) {
    Map<Integer, Session> sessions = new HashMap<>();
    var rows = new ArrayList<Row>();
    try {
      for (var pass : script.passes()) {
        var steps = new ArrayList<Model.Step>();
        for (var feed : pass.feeds()) {
          var session = sessions.computeIfAbsent(feed.sequence(), _ -> model.open());
          session.rewind(Math.min(feed.from(), session.position()));
          // Recurrent layers may have gone back further.
          var tokens = text(feed.sequence(), session.position(), feed.to());
          steps.add(new Model.Step(session, tokens, feed.wanted()));
        }
        var results = model.forward(steps);
        for (int i = 0; i < results.size(); i++) {
          var feed = pass.feeds().get(i);
          int first = feed.to() - feed.wanted();
          for (int j = 0; j < feed.wanted(); j++) {
            rows.add(row(feed.sequence(), first + j, results.get(i)[j]));
          }
        }
      }
    } finally {
      sessions.values().forEach(Session::close);
    }
    return rows;
  }

  /** The last row of a sequence that is fed by itself, in as few passes as there can be. */
  Row alone(int sequence, int length) {
    try (var session = model.open()) {
      var step = new Model.Step(session, text(sequence, 0, length), 1);
      return row(sequence, length - 1, model.forward(List.of(step)).getFirst()[0]);
    }
  }

  private static Row row(int sequence, int position, Logits logits) {
    return new Row(sequence, position, logits.likeliest(), logits.toArray());
  }

  private int[] text(int sequence, int from, int to) {
    var tokens = new int[to - from];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = Math.floorMod(scattered(sequence * 0x10000L + from + i), model.vocabularySize());
    }
    return tokens;
  }

  /** The finalizer of SplitMix64. */
  private int scattered(long place) {
    long x = seed + place * 0x9E3779B97F4A7C15L;
    x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
    x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
    return (int) (x ^ x >>> 31);
  }
}
