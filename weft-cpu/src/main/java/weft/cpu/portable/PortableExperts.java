package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import weft.backend.ExpertChoice;
import weft.backend.Step;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Mixture;
import weft.cpu.launch.Rows2d;
import weft.cpu.launch.SharedScratch;
import weft.cpu.team.Worker;
import weft.ir.Routing;

/**
 * A mixture of experts in three phases: choose; the chosen experts' gate and up; their down. Rows
 * that chose the same expert meet its weights together, unpacked once for all of them, and no other
 * expert's weights are touched.
 */
public final class PortableExperts implements JavaLaunch {
  private static final int PANEL_ROWS = 4;

  /** A row that uses an expert, as which of its choices, and how much it counts. */
  private record User(int row, int choice, float weight) {}

  private final Routing routing;
  private final Mixture.Bank bank;
  private final ExpertRows gate;
  private final ExpertRows up;
  private final ExpertRows down;
  private final Rows2d x;
  private final Rows2d scores;
  private final Rows2d result;
  private final SharedScratch scratch;
  private final List<List<User>> users = new ArrayList<>();

  public PortableExperts(Mixture mixture, SharedScratch scratch) {
    this.routing = mixture.routing();
    this.bank = mixture.bank();
    this.gate = new ExpertRows(bank.gate());
    this.up = new ExpertRows(bank.up());
    this.down = new ExpertRows(bank.down());
    this.x = mixture.x();
    this.scores = mixture.scores();
    this.result = mixture.result();
    this.scratch = scratch;
    for (int e = 0; e < scores.width(); e++) users.add(new ArrayList<>());
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
  public void begin(Step step) {
    scratch.reserve(0, (long) x.count(step) * routing.used() * gate.rows(), 0);
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
    var row = new float[scores.width()];
    for (int r = 0; r < rows; r++) {
      scores.read(r, 0, row, 0, row.length);
      var choice = ExpertChoice.of(routing, row, 0, row.length);
      for (int c = 0; c < routing.used(); c++) {
        users.get(choice.experts()[c]).add(new User(r, c, choice.weights()[c]));
      }
    }
  }

  /** The byte where what an expert makes of a row lies. */
  private long hiddenAt(User user, int column) {
    long row = (long) user.row * routing.used() + user.choice;
    return (row * gate.rows() + column) * Float.BYTES;
  }

  private void gateAndUp(Worker worker) {
    for (int e = 0; e < users.size(); e++) {
      switch (users.get(e).size()) {
        case 0 -> {}
        case 1 -> gateAndUp(e, users.get(e).getFirst(), worker);
        default -> gateAndUp(e, users.get(e), worker);
      }
    }
  }

  private void gateAndUp(int expert, User user, Worker worker) {
    var row = worker.scratch(x.width());
    x.read(user.row, 0, row, 0, x.width());
    for (int j = worker.from(gate.rows()); j < worker.to(gate.rows()); j++) {
      float gated = bank.fn().apply(gate.dot(expert, j, row)) * up.dot(expert, j, row);
      scratch.floats().set(Rows2d.FLOAT, hiddenAt(user, j), gated);
    }
  }

  private void gateAndUp(int expert, List<User> together, Worker worker) {
    int n = x.width();
    var panel = worker.scratch(PANEL_ROWS * n);
    var products = worker.more(PANEL_ROWS * together.size());
    var tokens = together.stream().mapToLong(user -> x.at(user.row, 0)).toArray();
    var hidden = scratch.floats();
    int to = worker.to(gate.rows());
    for (int j = worker.from(gate.rows()); j < to; j += PANEL_ROWS) {
      int height = Math.min(PANEL_ROWS, to - j);
      gate.unpack(expert, j, height, panel);
      Tiles.products(x.memory(), tokens, panel, height, n, products, 0);
      VectorMath.map(bank.fn(), products, 0, height * tokens.length);
      for (int u = 0; u < tokens.length; u++) {
        long at = hiddenAt(together.get(u), j);
        MemorySegment.copy(products, u * height, hidden, Rows2d.FLOAT, at, height);
      }
      up.unpack(expert, j, height, panel);
      Tiles.products(x.memory(), tokens, panel, height, n, products, 0);
      for (int u = 0; u < tokens.length; u++) {
        for (int k = 0; k < height; k++) {
          long at = hiddenAt(together.get(u), j + k);
          float product = products[u * height + k];
          hidden.set(Rows2d.FLOAT, at, hidden.get(Rows2d.FLOAT, at) * product);
        }
      }
    }
  }

  private void down(int rows, Worker worker) {
    int from = worker.from(result.width());
    int to = worker.to(result.width());
    for (int r = 0; r < rows; r++) {
      for (int j = from; j < to; j++) result.set(r, j, 0);
    }
    for (int e = 0; e < users.size(); e++) {
      switch (users.get(e).size()) {
        case 0 -> {}
        case 1 -> down(e, users.get(e).getFirst(), from, to, worker);
        default -> down(e, users.get(e), from, to, worker);
      }
    }
  }

  private void down(int expert, User user, int from, int to, Worker worker) {
    int inner = down.columns();
    var row = worker.scratch(inner);
    MemorySegment.copy(scratch.floats(), Rows2d.FLOAT, hiddenAt(user, 0), row, 0, inner);
    for (int j = from; j < to; j++) add(user, j, down.dot(expert, j, row));
  }

  private void down(int expert, List<User> together, int from, int to, Worker worker) {
    int inner = down.columns();
    var panel = worker.scratch(PANEL_ROWS * inner);
    var products = worker.more(PANEL_ROWS * together.size());
    var tokens = together.stream().mapToLong(user -> hiddenAt(user, 0)).toArray();
    for (int j = from; j < to; j += PANEL_ROWS) {
      int height = Math.min(PANEL_ROWS, to - j);
      down.unpack(expert, j, height, panel);
      Tiles.products(scratch.floats(), tokens, panel, height, inner, products, 0);
      for (int u = 0; u < tokens.length; u++) {
        for (int k = 0; k < height; k++) add(together.get(u), j + k, products[u * height + k]);
      }
    }
  }

  private void add(User user, int column, float value) {
    result.set(user.row, column, result.get(user.row, column) + user.weight * value);
  }
}
