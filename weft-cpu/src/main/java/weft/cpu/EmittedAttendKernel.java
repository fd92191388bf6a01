package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import weft.backend.HostState;
import weft.backend.KvMemory;
import weft.backend.Service;
import weft.backend.Step;
import weft.cpu.kernel.AttendArguments;
import weft.cpu.kernel.Kernel;
import weft.ir.Op;
import weft.ir.Slot;

/**
 * Attention by emitted code, in two phases: keys and values go into the sequences' memory and
 * queries are rotated and scaled; then each worker attends for its share of rows and groups of
 * heads.
 */
final class EmittedAttendKernel implements JavaKernel {
  private final Slot.KeyValue slot;
  private final Op.Scores scores;
  private final Heads3d q;
  private final Heads3d k;
  private final Heads3d v;
  private final Optional<AttendKernel.Turn> turn;
  private final Rows2d result;
  private final Kernel kernel;
  private final SharedScratch scratch;
  private final int workers;

  EmittedAttendKernel(
      Slot.KeyValue slot,
      Op.Scores scores,
      Heads3d q,
      Heads3d k,
      Heads3d v,
      Optional<AttendKernel.Turn> turn,
      Rows2d result,
      Kernel kernel,
      SharedScratch scratch,
      int workers) {
    this.slot = slot;
    this.scores = scores;
    this.q = q;
    this.k = k;
    this.v = v;
    this.turn = turn;
    this.result = result;
    this.kernel = kernel;
    this.scratch = scratch;
    this.workers = workers;
  }

  @Override
  public Service service() {
    return new Service(Service.Kind.EMITTED, name());
  }

  @Override
  public String name() {
    return (turn.isPresent() ? "rope, " : "") + kernel.name();
  }

  @Override
  public int phases() {
    return 2;
  }

  @Override
  public void begin(Step step) {
    scratch.reserve(0, (long) step.rows() * q.heads() * slot.keyDim(), 0);
  }

  @Override
  public void run(Step step, int phase, Worker worker) {
    if (phase == 0) store(step, worker);
    else attend(step, worker);
  }

  private int group() {
    return q.heads() / slot.heads();
  }

  private void store(Step step, Worker worker) {
    int units = step.rows() * slot.heads();
    int first = 0;
    for (var part : step.parts()) {
      var memory = ((HostState) part.state()).keyValues(slot);
      int position = part.state().position();
      int from = Math.max(worker.from(units), first * slot.heads());
      int to = Math.min(worker.to(units), (first + part.rows()) * slot.heads());
      for (int unit = from; unit < to; unit++) {
        int row = unit / slot.heads();
        store(memory, row, unit % slot.heads(), position + row - first, worker);
      }
      first += part.rows();
    }
  }

  private void store(KvMemory memory, int row, int kvHead, int position, Worker worker) {
    int keyDim = slot.keyDim();
    var head = worker.scratch(Math.max(keyDim, slot.valueDim()));
    k.read(row, kvHead, head, 0);
    turn.ifPresent(t -> t.apply(head, 0, row));
    memory.encoding().encode(head, 0, keyDim, memory.keys(), memory.keyOffset(kvHead, position));
    v.read(row, kvHead, head, 0);
    memory
        .encoding()
        .encode(head, 0, slot.valueDim(), memory.values(), memory.valueOffset(kvHead, position));
    for (int h = kvHead * group(); h < (kvHead + 1) * group(); h++) {
      q.read(row, h, head, 0);
      turn.ifPresent(t -> t.apply(head, 0, row));
      for (int i = 0; i < keyDim; i++) head[i] *= scores.scale();
      MemorySegment.copy(head, 0, scratch.floats(), Rows2d.FLOAT, queryAt(row, h), keyDim);
    }
  }

  private long queryAt(int row, int head) {
    return ((long) row * q.heads() + head) * slot.keyDim() * Float.BYTES;
  }

  /** Where one row has fewer heads of keys than there are workers, its groups are split. */
  private int splits(int rows) {
    int units = rows * slot.heads();
    return units >= workers ? 1 : Math.min(group(), (workers + units - 1) / units);
  }

  private void attend(Step step, Worker worker) {
    int splits = splits(step.rows());
    int perRow = slot.heads() * splits;
    int units = step.rows() * perRow;
    int first = 0;
    for (var part : step.parts()) {
      var memory = ((HostState) part.state()).keyValues(slot);
      int from = Math.max(worker.from(units), first * perRow);
      int to = Math.min(worker.to(units), (first + part.rows()) * perRow);
      for (int unit = from; unit < to; unit++) {
        int row = unit / perRow;
        int kvHead = unit % perRow / splits;
        int split = unit % splits;
        int head = kvHead * group() + group() * split / splits;
        int heads = kvHead * group() + group() * (split + 1) / splits - head;
        attend(memory, row, kvHead, head, heads, part.state().position() + row - first, worker);
      }
      first += part.rows();
    }
  }

  private void attend(
      KvMemory memory, int row, int kvHead, int head, int heads, int position, Worker worker) {
    int from = slot.isWindowed() ? Math.max(0, position - slot.window() + 1) : 0;
    int count = position - from + 1;
    // A ring may wrap: the positions then lie in two runs.
    int untilWrap = Math.min(count, memory.capacity() - from % memory.capacity());
    var second =
        untilWrap == count
            ? AttendArguments.Run.NONE
            : run(memory, kvHead, from + untilWrap, count - untilWrap);
    var block = worker.block(AttendArguments.BYTES);
    new AttendArguments(
            heads,
            scratch.floats().asSlice(queryAt(row, head)),
            slot.keyDim(),
            slot.valueDim(),
            run(memory, kvHead, from, untilWrap),
            second,
            memory.keyBytes(),
            memory.valueBytes(),
            scores.softCap(),
            worker.nativeScratch(heads * AttendArguments.scoreBytes(count)),
            result.memory().asSlice(result.at(row, head * slot.valueDim())))
        .write(block);
    kernel.run(block, 0, 0, MemorySegment.NULL);
  }

  private static AttendArguments.Run run(KvMemory memory, int kvHead, int from, int count) {
    return new AttendArguments.Run(
        memory.keys().asSlice(memory.keyOffset(kvHead, from)),
        memory.values().asSlice(memory.valueOffset(kvHead, from)),
        count);
  }
}
