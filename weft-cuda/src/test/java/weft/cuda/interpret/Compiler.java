package weft.cuda.interpret;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import weft.cuda.interpret.Instruction.Kind;
import weft.cuda.interpret.Instruction.Step;

/** Turns a kernel's text into what runs; refuses what a driver would refuse. */
final class Compiler {
  /** Behind the end of a kernel: its threads are gone. */
  private static final Statement END = Statement.parse(0, "ret");

  private final ParsedKernel kernel;
  private final Slots slots;
  private final int sharedBytes;

  private Compiler(ParsedKernel kernel) {
    this.kernel = kernel;
    Map<String, Integer> symbols = new HashMap<>();
    int end = 0;
    for (var piece : kernel.shared()) {
      if (piece.bytes() < 0) continue;
      end = Math.ceilDiv(end, piece.multiple()) * piece.multiple();
      symbols.put(piece.name(), end);
      end += piece.bytes();
    }
    for (var piece : kernel.shared()) {
      if (piece.bytes() >= 0) continue;
      // Of the others only the kernel's own is used by it, and all of them begin there.
      symbols.put(piece.name(), Math.ceilDiv(end, piece.multiple()) * piece.multiple());
    }
    boolean isOpen =
        kernel.statements().stream()
            .anyMatch(
                s ->
                    kernel.shared().stream()
                        .anyMatch(p -> p.bytes() < 0 && s.text().contains(p.name())));
    sharedBytes =
        isOpen
            ? kernel.shared().stream()
                .filter(p -> p.bytes() < 0)
                .mapToInt(p -> symbols.get(p.name()))
                .max()
                .orElse(end)
            : end;
    slots = new Slots(kernel, symbols);
  }

  static Kernel compile(ParsedKernel kernel) {
    return new Compiler(kernel).compiled();
  }

  private Kernel compiled() {
    var code =
        Stream.concat(
                kernel.statements().stream().map(this::instruction),
                Stream.of(new Instruction(Kind.EXIT, END, -1, false, Instruction.NOTHING, 0)))
            .toArray(Instruction[]::new);
    return new Kernel(
        kernel.name(),
        kernel.parameters(),
        code,
        slots.words(),
        slots.wides(),
        slots.preds(),
        slots.wordNumbers(),
        slots.wideNumbers(),
        slots.specials(),
        sharedBytes,
        granule(),
        kernel.mostThreads(),
        kernel.statements().stream().anyMatch(s -> s.mnemonic().equals("griddepcontrol.wait")),
        kernel.statements().stream().anyMatch(Compiler::meetsBlocks));
  }

  /** Blocks that hand over to each other do so by such an instruction. */
  private static boolean meetsBlocks(Statement s) {
    return s.has("acquire")
        || s.has("acq_rel")
        || s.mnemonic().startsWith("membar.gl")
        || s.mnemonic().startsWith("atom.global");
  }

  private int granule() {
    return kernel.statements().stream()
        .filter(s -> s.mnemonic().matches("(ld|st|atom|red)\\..*shared.*"))
        .mapToInt(s -> Slots.bits(s.type()) / 8)
        .min()
        .orElse(4);
  }

  private Instruction instruction(Statement s) {
    slots.at(s);
    int guard = s.guard().isEmpty() ? -1 : slots.pred(s.guard());
    try {
      return switch (s.mnemonic()) {
        case "bra", "bra.uni" -> {
          var target = kernel.labels().get(s.operand(0));
          if (target == null) throw slots.problem("label " + s.operand(0) + " is nowhere");
          yield new Instruction(Kind.BRANCH, s, guard, s.isNegated(), Instruction.NOTHING, target);
        }
        case "ret", "exit" ->
            new Instruction(Kind.EXIT, s, guard, s.isNegated(), Instruction.NOTHING, 0);
        case "bar.sync", "barrier.sync", "barrier.sync.aligned" ->
            new Instruction(Kind.BARRIER, s, guard, s.isNegated(), barrier(s), 0);
        default ->
            WarpSteps.of(s, slots)
                .or(() -> GroupSteps.of(s, slots))
                .map(step -> new Instruction(Kind.TOGETHER, s, guard, s.isNegated(), step, 0))
                .orElseGet(() -> new Instruction(Kind.PLAIN, s, guard, s.isNegated(), plain(s), 0));
      };
    } catch (IndexOutOfBoundsException e) {
      throw slots.problem("too few operands");
    }
  }

  private Step barrier(Statement s) {
    int number = slots.word(s.operand(0), "b32");
    int threads = s.operands().size() > 1 ? slots.word(s.operand(1), "b32") : -1;
    return (w, lanes) -> {
      int lane = Integer.numberOfTrailingZeros(lanes);
      int count = threads < 0 ? w.block().threads() : w.words[threads + lane];
      w.block().arrive(w, lanes, w.words[number + lane], count);
    };
  }

  private Step plain(Statement s) {
    return MoveSteps.of(s, slots)
        .or(() -> IntegerSteps.of(s, slots))
        .or(() -> RealSteps.of(s, slots))
        .or(() -> MemorySteps.of(s, slots, kernel.parameters()))
        .or(() -> CopySteps.of(s, slots))
        .orElseThrow(() -> slots.problem("no instruction that the interpreter knows"));
  }
}
