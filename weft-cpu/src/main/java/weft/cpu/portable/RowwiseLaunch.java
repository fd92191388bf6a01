package weft.cpu.portable;

import weft.backend.Step;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.team.Worker;
import weft.ir.Type;

/** Ops that treat rows one by one: workers share the rows, and a single row by its pieces. */
public final class RowwiseLaunch implements JavaLaunch {
  /** Computes piece {@code piece} of row {@code row}. */
  @FunctionalInterface
  interface Body {
    void run(Step step, int row, int piece, Worker worker);
  }

  private final String name;
  private final Type type;
  private final int pieces;
  private final Body body;

  RowwiseLaunch(String name, Type type, int pieces, Body body) {
    this.name = name;
    this.type = type;
    this.pieces = pieces;
    this.body = body;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    int units = step.rows(type) * pieces;
    for (int unit = worker.from(units); unit < worker.to(units); unit++) {
      body.run(step, unit / pieces, unit % pieces, worker);
    }
  }
}
