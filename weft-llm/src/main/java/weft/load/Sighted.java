package weft.load;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import weft.backend.Step;
import weft.generate.Gallery;
import weft.generate.Seen;
import weft.ir.Op;
import weft.net.Net;

/**
 * A model's programs for steps with rows of pictures among their tokens: another graph over the
 * same weights and states, so that steps of tokens alone cost what they always did. Owns its
 * programs, and the tower that pictures come from.
 */
final class Sighted implements AutoCloseable {
  private final Executables executables;
  private final Gallery gallery;
  private final int sections;
  private final int width;
  private final int deep;
  private final Runnable closeTower;

  Sighted(Plan plan, ProgramLoader loader, Gallery gallery, Runnable closeTower) {
    this.executables = new Executables(plan.specializations(), plan.limits(), loader::load);
    this.gallery = gallery;
    this.closeTower = closeTower;
    var inputs = inputs(plan);
    this.sections = inputs.getOrDefault("positions", 1);
    this.width = inputs.get(Net.SEEN);
    this.deep =
        (int) inputs.keySet().stream().filter(name -> name.startsWith(Net.SEEN + ".")).count();
  }

  /** What a step brings, by its name: how many numbers a row. */
  private static Map<String, Integer> inputs(Plan plan) {
    return plan.graph().values().stream()
        .filter(value -> value.op() instanceof Op.Input)
        .collect(
            Collectors.toMap(
                value -> ((Op.Input) value.op()).name(),
                value -> value.type().rowElements(),
                (one, same) -> one));
  }

  Executables executables() {
    return executables;
  }

  boolean takes(Seen picture) {
    return picture.isOf(gallery)
        && picture.width() == width
        && picture.rows().deep().size() == deep;
  }

  /**
   * The step of a run with what its rows of pictures show, and the positions of all of its rows.
   */
  Step with(Step step, List<Chunks.Chunk> run) {
    int rows = step.rows();
    var positions = new int[rows * sections];
    var said = new float[rows];
    var seen = new float[rows * width];
    var added = IntStream.range(0, deep).mapToObj(_ -> new float[rows * width]).toList();
    Arrays.fill(said, 1);
    int at = 0;
    for (var chunk : run) {
      for (int i = 0; i < chunk.tokens().length; i++, at++) {
        for (int s = 0; s < sections; s++) positions[at * sections + s] = chunk.position(i, s);
        var shown = chunk.seen(i);
        if (shown.isEmpty()) continue;
        said[at] = 0;
        int from = shown.get().index() * width;
        var given = shown.get().seen().rows();
        System.arraycopy(given.features(), from, seen, at * width, width);
        for (int d = 0; d < deep; d++) {
          System.arraycopy(given.deep().get(d), from, added.get(d), at * width, width);
        }
      }
    }
    var made =
        new Step(step.tokens(), positions, step.wanted(), step.parts())
            .withInput(Net.SAID, new Step.Rows(1, said))
            .withInput(Net.SEEN, new Step.Rows(width, seen));
    for (int d = 0; d < deep; d++) {
      made = made.withInput(Net.deep(d), new Step.Rows(width, added.get(d)));
    }
    return made;
  }

  @Override
  public void close() {
    executables.close();
    closeTower.run();
  }
}
