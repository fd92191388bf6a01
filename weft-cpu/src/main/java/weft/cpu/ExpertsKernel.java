package weft.cpu;

import java.util.ArrayList;
import java.util.List;
import weft.backend.ExpertChoice;
import weft.backend.Step;
import weft.backend.Weights;
import weft.ir.Fn;
import weft.ir.Routing;

/**
 * A mixture of experts in three phases: choose; the chosen experts' gate and up; their down. Rows
 * that chose the same expert meet its weights together, and no other expert's weights are touched.
 */
final class ExpertsKernel implements BoundKernel {
  /** A row that uses an expert, and as which of its choices. */
  private record User(int row, int choice) {}

  /** The three weights of all experts. */
  record Bank(Weights.Tensor gate, Weights.Tensor up, Weights.Tensor down, Fn fn) {
    int experts() {
      return gate.type().dim(0).fixed();
    }

    int inner() {
      return gate.type().dim(1).fixed();
    }
  }

  private final Routing routing;
  private final Bank bank;
  private final RowKernel gateRows;
  private final RowKernel upRows;
  private final RowKernel downRows;
  private final Rows2d x;
  private final Rows2d scores;
  private final Rows2d result;
  private final List<List<User>> users = new ArrayList<>();
  private ExpertChoice[] choices = {};
  private float[] hidden = {};

  ExpertsKernel(Routing routing, Bank bank, Rows2d x, Rows2d scores, Rows2d result) {
    this.routing = routing;
    this.bank = bank;
    this.gateRows = RowKernel.of(bank.gate().encoding());
    this.upRows = RowKernel.of(bank.up().encoding());
    this.downRows = RowKernel.of(bank.down().encoding());
    this.x = x;
    this.scores = scores;
    this.result = result;
    for (int e = 0; e < bank.experts(); e++) users.add(new ArrayList<>());
  }

  @Override
  public String name() {
    return "experts " + bank.gate().encoding().name();
  }

  @Override
  public int phases() {
    return 3;
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    switch (phase) {
      case 0 -> {
        if (worker.index() == 0) choose(x.count(step));
      }
      case 1 -> gateAndUp(worker);
      default -> down(x.count(step), worker);
    }
  }

  private void choose(int rows) {
    users.forEach(List::clear);
    if (choices.length < rows) choices = new ExpertChoice[rows];
    int needed = rows * routing.used() * bank.inner();
    if (hidden.length < needed) hidden = new float[needed];
    var row = new float[bank.experts()];
    for (int r = 0; r < rows; r++) {
      scores.read(r, 0, row, 0, row.length);
      choices[r] = ExpertChoice.of(routing, row, 0, row.length);
      for (int c = 0; c < routing.used(); c++) {
        users.get(choices[r].experts()[c]).add(new User(r, c));
      }
    }
  }

  private int hiddenAt(User user) {
    return (user.row * routing.used() + user.choice) * bank.inner();
  }

  private void gateAndUp(Worker worker) {
    int n = x.width();
    int inner = bank.inner();
    var row = worker.scratch(3 * n);
    for (int e = 0; e < users.size(); e++) {
      for (var user : users.get(e)) {
        x.read(user.row, 0, row, 0, n);
        for (int j = worker.from(inner); j < worker.to(inner); j++) {
          float gate = dot(gateRows, bank.gate(), e, j, row, n);
          float up = dot(upRows, bank.up(), e, j, row, n);
          hidden[hiddenAt(user) + j] = bank.fn().apply(gate) * up;
        }
      }
    }
  }

  private void down(int rows, Worker worker) {
    int n = result.width();
    int inner = bank.inner();
    int from = worker.from(n);
    int to = worker.to(n);
    var in = worker.scratch(inner);
    for (int r = 0; r < rows; r++) {
      for (int j = from; j < to; j++) result.set(r, j, 0);
    }
    for (int e = 0; e < users.size(); e++) {
      for (var user : users.get(e)) {
        System.arraycopy(hidden, hiddenAt(user), in, 0, inner);
        float weight = choices[user.row].weights()[user.choice];
        for (int j = from; j < to; j++) {
          float sum = dot(downRows, bank.down(), e, j, in, inner);
          result.set(user.row, j, result.get(user.row, j) + weight * sum);
        }
      }
    }
  }

  /** Row {@code row} of expert {@code expert}, whether the file keeps experts together or apart. */
  private static float dot(
      RowKernel kernel, Weights.Tensor weight, int expert, int row, float[] x, int n) {
    int perPart = weight.type().dim(0).fixed() / weight.parts().size();
    var part = weight.parts().get(expert / perPart);
    long index = (long) (expert % perPart) * weight.type().dim(1).fixed() + row;
    return kernel.dot(part, index * weight.rowBytes(), x, n);
  }
}
