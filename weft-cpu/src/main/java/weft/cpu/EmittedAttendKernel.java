package weft.cpu;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import weft.backend.HostState;
import weft.backend.KvMemory;
import weft.backend.Step;
import weft.cpu.kernel.AttendArguments;
import weft.cpu.kernel.CallList;
import weft.cpu.kernel.Kernel;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.KvRow;
import weft.cpu.kernel.KvStoreArguments;
import weft.cpu.kernel.RopeAngles;
import weft.ir.Op;
import weft.ir.Slot;
import weft.quant.Encoding;

/**
 * Attention by emitted code: keys and values go into the sequences' memory while queries are
 * rotated and scaled; then workers attend for their shares of rows and groups of heads.
 */
final class EmittedAttendKernel implements EmittedKernel {
  /** What emitted attention reads at once of a key or a value. */
  private static final int MULTIPLE = 16;

  private final AttendKernel portable;
  private final Kernel store;
  private final Kernel attend;
  private final SharedScratch scratch;
  private final int workers;

  private EmittedAttendKernel(
      AttendKernel portable, Kernel store, Kernel attend, SharedScratch scratch, int workers) {
    this.portable = portable;
    this.store = store;
    this.attend = attend;
    this.scratch = scratch;
    this.workers = workers;
  }

  /** The emitted form of an attention whose keys and values are stored so, where there is one. */
  static Optional<BoundKernel> of(
      KernelLibrary library,
      AttendKernel portable,
      Encoding stored,
      SharedScratch scratch,
      int workers) {
    var slot = portable.slot();
    if (slot.keyDim() % MULTIPLE != 0 || slot.valueDim() % MULTIPLE != 0) return Optional.empty();
    var pairing = portable.turn().map(AttendKernel.Turn::pairing).orElse(Op.Pairing.HALVES);
    var store = library.store(stored, pairing);
    var attend = library.attend(stored);
    if (store.isEmpty() || attend.isEmpty()) return Optional.empty();
    return Optional.of(
        new EmittedAttendKernel(portable, store.get(), attend.get(), scratch, workers));
  }

  @Override
  public String name() {
    return (portable.turn().isPresent() ? "rope, " : "") + attend.name();
  }

  @Override
  public boolean isSteady() {
    return false;
  }

  @Override
  public void begin(Step step) {
    scratch.reserve(0, (long) step.rows() * portable.q().heads() * slot().keyDim(), 0);
  }

  private Slot.KeyValue slot() {
    return portable.slot();
  }

  private int group() {
    return portable.q().heads() / slot().heads();
  }

  @Override
  public void record(Step step, CallList calls) {
    var table = calls.arguments(step.rows() * KvRow.BYTES);
    long positions = 0;
    int row = 0;
    for (var part : step.parts()) {
      var memory = ((HostState) part.state()).keyValues(slot());
      for (int i = 0; i < part.rows(); i++, row++) {
        var entry = entry(memory, part.state().position() + i);
        entry.write(table, row);
        positions = Math.max(positions, entry.first().count() + entry.second().count());
      }
    }
    var encoding = ((HostState) step.parts().getFirst().state()).keyValues(slot()).encoding();
    store(step.rows(), table, calls);
    calls.meet();
    attend(step.rows(), table, encoding, calls);
    calls.needScratch(AttendArguments.scratchBytes(positions));
  }

  private KvRow entry(KvMemory memory, int position) {
    int from = slot().isWindowed() ? Math.max(0, position - slot().window() + 1) : 0;
    int count = position - from + 1;
    // A ring may wrap: the positions then lie in two runs.
    int untilWrap = Math.min(count, memory.capacity() - from % memory.capacity());
    return new KvRow(
        memory.keys().asSlice(memory.keyOffset(0, position)),
        memory.values().asSlice(memory.valueOffset(0, position)),
        memory.capacity() * memory.keyBytes(),
        memory.capacity() * memory.valueBytes(),
        run(memory, from, untilWrap),
        untilWrap == count ? KvRow.Run.NONE : run(memory, from + untilWrap, count - untilWrap));
  }

  private static KvRow.Run run(KvMemory memory, int from, int count) {
    return new KvRow.Run(
        memory.keys().asSlice(memory.keyOffset(0, from)),
        memory.values().asSlice(memory.valueOffset(0, from)),
        count);
  }

  private void store(int rows, MemorySegment table, CallList calls) {
    var arguments =
        new KvStoreArguments(
            portable.q().rows(),
            portable.k().rows(),
            portable.v().rows(),
            slot().heads(),
            group(),
            slot().keyDim(),
            slot().valueDim(),
            portable.turn().map(t -> t.table().angles(t.scale())).orElse(RopeAngles.NONE),
            portable.scores().scale(),
            table,
            scratch.floats());
    var block = calls.arguments(KvStoreArguments.BYTES);
    arguments.write(block);
    calls.needScratch(arguments.scratchBytes());
    calls.call(store, block, rows * slot().heads());
  }

  /** Where there are fewer heads of keys than workers, their groups are split. */
  private int splits() {
    return Math.min(group(), Math.ceilDiv(workers, slot().heads()));
  }

  private void attend(int rows, MemorySegment table, Encoding stored, CallList calls) {
    var result = portable.result();
    var arguments =
        new AttendArguments(
            scratch.floats(),
            slot().heads(),
            group(),
            splits(),
            slot().keyDim(),
            slot().valueDim(),
            stored.bytes(slot().keyDim()),
            stored.bytes(slot().valueDim()),
            portable.scores().softCap(),
            rows,
            table,
            result.memory().asSlice(result.at(0, 0)),
            result.rowBytes());
    var block = calls.arguments(AttendArguments.BYTES);
    arguments.write(block);
    calls.call(attend, block, arguments.units());
  }
}
