package weft.cpu.portable;

import java.util.Optional;
import weft.backend.HostState;
import weft.backend.KvMemory;
import weft.backend.Step;
import weft.cpu.launch.Attention;
import weft.cpu.launch.JavaLaunch;
import weft.cpu.launch.Turn;
import weft.cpu.team.Worker;
import weft.ir.Slot;
import weft.quant.F32;

/**
 * Attention in two phases: the new keys, rotated if asked, and values go into the sequences'
 * memory; then each worker attends for its share of rows and heads.
 */
public final class PortableAttend implements JavaLaunch {
  private final Attention attention;
  private final Slot.KeyValue slot;
  private final Optional<Turn> turn;
  private final PackedRow rows;

  public PortableAttend(Attention attention) {
    this.attention = attention;
    this.slot = attention.slot();
    this.turn = attention.turn();
    this.rows = PackedRow.of(new F32());
  }

  @Override
  public String name() {
    return turn.isPresent() ? "rope+attend" : "attend";
  }

  @Override
  public int phases() {
    return 2;
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    if (phase == 0) store(step, worker);
    else attend(step, worker);
  }

  private void store(Step step, Worker worker) {
    int units = step.rows() * slot.heads();
    var head = worker.scratch(Math.max(slot.keyDim(), slot.valueDim()));
    int first = 0;
    for (var part : step.parts()) {
      var memory = ((HostState) part.state()).keyValues(slot);
      for (int i = 0; i < part.rows(); i++) {
        int row = first + i;
        int position = part.state().position() + i;
        for (int h = 0; h < slot.heads(); h++) {
          int unit = row * slot.heads() + h;
          if (unit < worker.from(units) || unit >= worker.to(units)) continue;
          attention.k().read(row, h, head, 0);
          if (turn.isPresent()) turn.get().apply(head, 0, row);
          memory
              .encoding()
              .encode(head, 0, slot.keyDim(), memory.keys(), memory.keyOffset(h, position));
          attention.v().read(row, h, head, 0);
          memory
              .encoding()
              .encode(head, 0, slot.valueDim(), memory.values(), memory.valueOffset(h, position));
        }
      }
      first += part.rows();
    }
  }

  private void attend(Step step, Worker worker) {
    int heads = attention.q().heads();
    int units = step.rows() * heads;
    int first = 0;
    for (var part : step.parts()) {
      var memory = ((HostState) part.state()).keyValues(slot);
      int from = Math.max(worker.from(units), first * heads);
      int to = Math.min(worker.to(units), (first + part.rows()) * heads);
      for (int unit = from; unit < to; unit++) {
        int row = unit / heads;
        one(memory, row, unit % heads, part.state().position() + row - first, worker);
      }
      first += part.rows();
    }
  }

  private void one(KvMemory memory, int row, int head, int position, Worker worker) {
    int kvHead = head / attention.group();
    int first = slot.isWindowed() ? Math.max(0, position - slot.window() + 1) : 0;
    int count = position - first + 1;
    int keyDim = slot.keyDim();
    int valueDim = slot.valueDim();
    var query = worker.scratch(keyDim + 2 * valueDim);
    attention.q().read(row, head, query, 0);
    if (turn.isPresent()) turn.get().apply(query, 0, row);
    var weights = worker.more(count);
    var kernel = memory.encoding() instanceof F32 ? rows : PackedRow.of(memory.encoding());
    var scores = attention.scores();
    float max = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      float score =
          kernel.dot(memory.keys(), memory.keyOffset(kvHead, first + i), query, keyDim)
              * scores.scale();
      if (scores.softCap() > 0) {
        score = scores.softCap() * (float) Math.tanh(score / scores.softCap());
      }
      weights[i] = score;
      max = Math.max(max, score);
    }
    float total = VectorMath.expLess(weights, count, max);
    int value = keyDim;
    int sum = keyDim + valueDim;
    java.util.Arrays.fill(query, sum, sum + valueDim, 0);
    for (int i = 0; i < count; i++) {
      kernel.decode(memory.values(), memory.valueOffset(kvHead, first + i), query, value, valueDim);
      VectorMath.addScaled(query, value, sum, valueDim, weights[i]);
    }
    for (int d = 0; d < valueDim; d++) query[sum + d] /= total;
    attention.result().write(row, head * valueDim, query, sum, valueDim);
  }
}
