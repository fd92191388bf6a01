package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import weft.backend.HostPages;
import weft.backend.HostState;
import weft.backend.KvLayout;
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
      var memory = HostState.of(part.state()).keyValues(slot);
      var layout = memory.layout();
      var encoding = layout.encoding();
      for (int i = 0; i < part.rows(); i++) {
        int row = first + i;
        int position = part.state().position() + i;
        var page = memory.page(position);
        for (int h = 0; h < slot.heads(); h++) {
          int unit = row * slot.heads() + h;
          if (unit < worker.from(units) || unit >= worker.to(units)) continue;
          attention.k().read(row, h, head, 0);
          if (turn.isPresent()) turn.get().apply(head, 0, row);
          encoding.encode(head, 0, slot.keyDim(), page, layout.keyAt(h, position));
          attention.v().read(row, h, head, 0);
          encoding.encode(head, 0, slot.valueDim(), page, layout.valueAt(h, position));
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
      var memory = HostState.of(part.state()).keyValues(slot);
      int from = Math.max(worker.from(units), first * heads);
      int to = Math.min(worker.to(units), (first + part.rows()) * heads);
      for (int unit = from; unit < to; unit++) {
        int row = unit / heads;
        int position = part.state().position();
        int at = row - first;
        int oldest = slot.firstSeen(position + at, position + part.first(at));
        one(memory, row, unit % heads, oldest, position + part.last(at), worker);
      }
      first += part.rows();
    }
  }

  private static boolean isFirstOfPage(int i, int first) {
    return i == 0 || (first + i) % KvLayout.POSITIONS == 0;
  }

  private void one(HostPages memory, int row, int head, int first, int last, Worker worker) {
    int kvHead = head / attention.group();
    int count = last - first + 1;
    int keyDim = slot.keyDim();
    int valueDim = slot.valueDim();
    var query = worker.scratch(keyDim + 2 * valueDim);
    attention.q().read(row, head, query, 0);
    if (turn.isPresent()) turn.get().apply(query, 0, row);
    var weights = worker.more(count);
    var layout = memory.layout();
    var kernel = layout.encoding() instanceof F32 ? rows : PackedRow.of(layout.encoding());
    var scores = attention.scores();
    float max = Float.NEGATIVE_INFINITY;
    long keyBytes = layout.keyBytes();
    long at = 0;
    var page = MemorySegment.NULL;
    for (int i = 0; i < count; i++, at += keyBytes) {
      if (isFirstOfPage(i, first)) {
        page = memory.page(first + i);
        at = layout.keyAt(kvHead, first + i);
      }
      float score = kernel.dot(page, at, query, keyDim) * scores.scale();
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
    long valueBytes = layout.valueBytes();
    for (int i = 0; i < count; i++, at += valueBytes) {
      if (isFirstOfPage(i, first)) {
        page = memory.page(first + i);
        at = layout.valueAt(kvHead, first + i);
      }
      kernel.decode(page, at, query, value, valueDim);
      VectorMath.addScaled(query, value, sum, valueDim, weights[i]);
    }
    for (int d = 0; d < valueDim; d++) query[sum + d] /= total;
    attention.result().write(row, head * valueDim, query, sum, valueDim);
  }
}
