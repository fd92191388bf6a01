package weft.bench.matrix;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import weft.bench.matrix.Player.Row;
import weft.load.LanguageModel;

/**
 * Plays cases of one slice to one thread and to every team, and compares: all teams with the one
 * thread, and the one thread's batches with sequences that are fed by themselves.
 */
public final class Visit {
  /**
   * One script played to one team.
   *
   * @param team how many threads; 1 is compared with itself
   */
  public record Trial(Slice slice, Setting setting, int team, Script script) {
    @Override
    public String toString() {
      return slice.name() + ", " + team + " threads, " + script.name();
    }
  }

  /** Who hears of trials. */
  public interface Listener {
    void begins(Trial trial);

    /** What is wrong, or nothing. */
    void ended(Trial trial, Optional<String> wrong);
  }

  private final Slice slice;
  private final Setting setting;
  private final Path file;
  private final Listener listener;
  private final BooleanSupplier isOver;
  private final Map<Script, List<Row>> expected = new HashMap<>();

  /**
   * @param file the slice as it was written
   * @param isOver asked before each trial
   */
  public Visit(Slice slice, Setting setting, Path file, Listener listener, BooleanSupplier isOver) {
    this.slice = slice;
    this.setting = setting;
    this.file = file;
    this.listener = listener;
    this.isOver = isOver;
  }

  public void play(Collection<Case> cases) {
    var teams = new TreeSet<Integer>();
    cases.forEach(c -> teams.addAll(c.teams()));
    teams.remove(1);
    playAs(1, cases);
    for (int team : teams) {
      playAs(team, cases.stream().filter(c -> c.teams().contains(team)).toList());
    }
  }

  /** Compares one thread with the definition, where little is fed. */
  public void compareWithReference(Script script) {
    attempt(
        new Trial(slice, setting, 1, script),
        () -> {
          try (var defined = LanguageModel.load(file, setting.reference());
              var model = LanguageModel.load(file, setting.team(1))) {
            var rows = player(defined).play(script);
            return slice
                .agreementWithReference(setting.kv())
                .judge(rows, player(model).play(script));
          }
        });
  }

  private void playAs(int team, Collection<Case> cases) {
    var left = List.copyOf(cases);
    // A model that failed is not asked again.
    while (!left.isEmpty() && !isOver.getAsBoolean()) {
      try (var model = LanguageModel.load(file, setting.team(team))) {
        int done = 0;
        boolean isSound = true;
        while (isSound && done < left.size() && !isOver.getAsBoolean()) {
          var script = left.get(done++).script();
          var trial = new Trial(slice, setting, team, script);
          isSound =
              attempt(trial, () -> team == 1 ? alone(model, script) : together(model, script));
        }
        left = left.subList(done, left.size());
      }
    }
  }

  private interface Task {
    Optional<String> run();
  }

  /** Whether it ran to its end, right or wrong. */
  private boolean attempt(Trial trial, Task task) {
    listener.begins(trial);
    try {
      listener.ended(trial, task.run());
      return true;
    } catch (RuntimeException | Error e) {
      listener.ended(trial, Optional.of("it throws " + e + place(e)));
      return false;
    }
  }

  /** Where in Weft. */
  private static String place(Throwable e) {
    return Arrays.stream(e.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("weft."))
        .findFirst()
        .map(frame -> " at " + frame)
        .orElse("");
  }

  private Player player(LanguageModel model) {
    return new Player(model.model(), setting.seed());
  }

  /** What each sequence comes to must not depend on those beside it, nor on how it was fed. */
  private Optional<String> alone(LanguageModel model, Script script) {
    var player = player(model);
    var rows = player.play(script);
    expected.put(script, rows);
    var agreement = slice.agreementOfFeeds(setting.kv());
    for (var end : script.ends().entrySet()) {
      var last = rows.reversed().stream().filter(r -> r.sequence() == end.getKey()).findFirst();
      var wrong = agreement.judge(player.alone(end.getKey(), end.getValue()), last.orElseThrow());
      if (wrong.isPresent()) return wrong.map(text -> text + ", compared with it alone");
    }
    return Optional.empty();
  }

  private Optional<String> together(LanguageModel model, Script script) {
    var rows = player(model).play(script);
    var one = expected.get(script);
    // One thread failed and said so; here is only whether this team does.
    if (one == null) return rows.stream().flatMap(r -> Agreement.soundness(r).stream()).findFirst();
    return Agreement.EXACT.judge(one, rows);
  }
}
