package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.backend.HostState;
import weft.backend.KvLayout;
import weft.backend.Step;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.attention.AttendArguments;
import weft.cpu.kernel.attention.HeadSizes;
import weft.cpu.kernel.attention.KvPart;
import weft.cpu.kernel.attention.KvStoreArguments;
import weft.cpu.kernel.attention.RopeAngles;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.Attention;
import weft.cpu.launch.BoundLaunch;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.cpu.launch.SharedScratch;
import weft.cpu.launch.Turn;
import weft.ir.Op;
import weft.ir.Slot;
import weft.quant.Encoding;

/**
 * Attention by emitted code: keys and values go into the sequences' memory while queries are
 * rotated and scaled; then workers attend for their shares of rows and groups of heads.
 */
public final class EmittedAttend implements EmittedLaunch {
  static {
    if (KvLayout.KEYS_BEHIND < KvPart.KEYS_BEHIND || KvLayout.POSITIONS != KvPart.POSITIONS) {
      throw new AssertionError("pages are not as kernels read them");
    }
  }

  /** What emitted attention reads at once of a key or a value. */
  private static final int MULTIPLE = 16;

  private final Attention attention;
  private final Kernel store;
  private final Kernel attend;
  private final Kernel attendMany;
  private final SharedScratch scratch;
  private final int workers;
  private final Map<CallList, Recorded> recorded = new HashMap<>();

  /** The blocks that a list has for the sequences of a step. */
  private record Recorded(List<MemorySegment> stores, List<Attending> attends) {
    private Recorded() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  /**
   * Rows of a part that see as far back as a window goes, and up to one of its rows or to
   * themselves, whichever is farther.
   */
  private record Run(int part, int from, int rows, int window, int last) {}

  private record Attending(Run run, AttendArguments arguments, MemorySegment block) {}

  private EmittedAttend(
      Attention attention,
      Kernel store,
      Kernel attend,
      Kernel attendMany,
      SharedScratch scratch,
      int workers) {
    this.attention = attention;
    this.store = store;
    this.attend = attend;
    this.attendMany = attendMany;
    this.scratch = scratch;
    this.workers = workers;
  }

  /** The emitted form of an attention whose keys and values are stored so, where there is one. */
  public static Optional<BoundLaunch> of(
      KernelLibrary library,
      Attention attention,
      Encoding stored,
      SharedScratch scratch,
      int workers) {
    var slot = attention.slot();
    if (slot.keyDim() % MULTIPLE != 0 || slot.valueDim() % MULTIPLE != 0) return Optional.empty();
    var pairing = attention.turn().map(Turn::pairing).orElse(Op.Pairing.HALVES);
    var store = library.store(stored, pairing);
    var attend = library.attend(stored);
    var attendMany = library.attendMany(stored);
    if (store.isEmpty() || attend.isEmpty() || attendMany.isEmpty()) return Optional.empty();
    return Optional.of(
        new EmittedAttend(
            attention, store.get(), attend.get(), attendMany.get(), scratch, workers));
  }

  @Override
  public String name() {
    return name(attend);
  }

  @Override
  public String name(Step step) {
    boolean isWritten = step.written() == step.rows();
    return name(
        isWritten || AttendArguments.blockRows(group(), splits()) == 1 ? attend : attendMany);
  }

  private String name(Kernel kernel) {
    return (attention.turn().isPresent() ? "rope, " : "") + kernel.name();
  }

  @Override
  public Change follows() {
    return Change.TOKENS;
  }

  @Override
  public void begin(Step step) {
    scratch.reserve(0, (long) step.rows() * attention.q().heads() * slot().keyDim(), 0);
  }

  private Slot.KeyValue slot() {
    return attention.slot();
  }

  private int group() {
    return attention.group();
  }

  private HeadSizes sizes() {
    return new HeadSizes(slot().heads(), group(), slot().keyDim(), slot().valueDim());
  }

  /** All keys and values are stored before any row attends: a part sees its own rows' too. */
  @Override
  public void record(Step step, CallList calls) {
    var blocks = new Recorded();
    recorded.put(calls, blocks);
    int row = 0;
    for (var part : step.parts()) {
      blocks.stores.add(store(row, part, calls));
      row += part.rows();
    }
    calls.meet();
    row = 0;
    for (int i = 0; i < step.parts().size(); i++) {
      var part = step.parts().get(i);
      for (var run : runs(i, part)) blocks.attends.add(attend(row, part, run, calls));
      row += part.rows();
    }
  }

  private List<Run> runs(int index, Step.Part part) {
    var runs = new ArrayList<Run>();
    int from = 0;
    for (var block : part.blocks()) {
      alone(index, from, block.from(), runs);
      together(index, block, runs);
      from = block.to();
    }
    alone(index, from, part.rows(), runs);
    return runs;
  }

  /** Rows that see what comes before them. */
  private void alone(int index, int from, int to, List<Run> runs) {
    if (to > from) runs.add(new Run(index, from, to - from, slot().window(), from));
  }

  /** Rows that see each other; those that a window keeps from the first of them go one by one. */
  private void together(int index, Step.Block block, List<Run> runs) {
    int window = slot().window();
    int last = block.to() - 1;
    int within = Math.min(window, block.to() - block.from());
    runs.add(new Run(index, block.from(), within, window, last));
    for (int from = block.from() + within; from <= last; from++) {
      runs.add(new Run(index, from, 1, from - block.from() + 1, last));
    }
  }

  /** The sequences are longer, and that alone. */
  @Override
  public void renew(Step step, CallList calls) {
    var blocks = recorded.get(calls);
    for (int i = 0; i < blocks.stores.size(); i++) {
      var part = memory(step.parts().get(i), 0, slot().window(), 0);
      KvStoreArguments.writePart(part, blocks.stores.get(i));
    }
    for (var attending : blocks.attends) {
      var part = seen(step.parts().get(attending.run.part), attending.run);
      AttendArguments.writePart(part, attending.block);
      calls.needScratch(attending.arguments.scratchBytes(part));
    }
  }

  private KvPart seen(Step.Part part, Run run) {
    boolean seesAhead = run.last > run.from;
    return memory(part, run.from, run.window, seesAhead ? part.state().position() + run.last : 0);
  }

  private KvPart memory(Step.Part part, int from, int window, int reach) {
    var memory = HostState.of(part.state()).keyValues(slot());
    var layout = memory.layout();
    return new KvPart(
        memory.addresses(),
        layout.keyBytes(),
        layout.valueBytes(),
        layout.valuesAt(),
        window,
        part.state().position() + from,
        reach);
  }

  /** The place of a row's turned and scaled queries. */
  private MemorySegment queries(int row) {
    long width = (long) attention.q().heads() * slot().keyDim();
    return scratch.floats().asSlice(row * width * Float.BYTES);
  }

  private MemorySegment store(int row, Step.Part part, CallList calls) {
    var arguments =
        new KvStoreArguments(
            attention.q().rows().fromRow(row),
            attention.k().rows().fromRow(row),
            attention.v().rows().fromRow(row),
            sizes(),
            attention
                .turn()
                .map(t -> t.table().angles(t.scale()).fromRow(row))
                .orElse(RopeAngles.NONE),
            attention.scores().scale(),
            memory(part, 0, slot().window(), 0),
            queries(row));
    var block = calls.arguments(KvStoreArguments.BYTES);
    arguments.write(block);
    calls.needScratch(arguments.scratchBytes());
    calls.call(store, block, part.rows() * slot().heads());
    return block;
  }

  private int splits() {
    return splits(slot().heads(), group(), workers);
  }

  /** Where there are fewer heads of keys than workers, their groups are split. */
  static int splits(int kvHeads, int group, int workers) {
    return Math.min(group, Math.ceilDiv(workers, kvHeads));
  }

  /**
   * How many rows of a sequence share panels of keys and values: what was written goes row by row,
   * what is read in blocks, however few rows there are, so that their number changes no bit. Rows
   * of a picture, which see each other, are fed together, and are as they are in larger blocks.
   */
  private int blockRows(Step.Part part, Run run) {
    return switch (part.origin()) {
      case WRITTEN -> 1;
      case READ, SEEN ->
          run.last > run.from
              ? AttendArguments.togetherRows(sizes(), splits())
              : AttendArguments.blockRows(group(), splits());
    };
  }

  private Attending attend(int first, Step.Part part, Run run, CallList calls) {
    int row = first + run.from;
    int blockRows = blockRows(part, run);
    var arguments =
        new AttendArguments(
            queries(row),
            sizes(),
            splits(),
            attention.scores().softCap(),
            run.rows,
            blockRows,
            seen(part, run),
            attention.result().from(row, 0));
    var block = calls.arguments(AttendArguments.BYTES);
    arguments.write(block);
    calls.needScratch(arguments.scratchBytes());
    calls.call(blockRows > 1 ? attendMany : attend, block, arguments.units());
    return new Attending(run, arguments, block);
  }
}
