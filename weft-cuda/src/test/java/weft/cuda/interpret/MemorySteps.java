package weft.cuda.interpret;

import static weft.cuda.interpret.MoveSteps.each;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Optional;
import java.util.function.IntBinaryOperator;
import weft.cuda.interpret.GlobalMemory.Allocation;
import weft.cuda.interpret.Instruction.Step;

/** Loads, stores and atomic changes. */
final class MemorySteps {
  private static final VarHandle SHORT = SharedMemory.view(short[].class);
  private static final VarHandle INT = SharedMemory.view(int[].class);
  private static final VarHandle LONG = SharedMemory.view(long[].class);

  private final Statement s;
  private final Slots slots;
  private final List<ParsedKernel.Parameter> parameters;

  private MemorySteps(Statement s, Slots slots, List<ParsedKernel.Parameter> parameters) {
    this.s = s;
    this.slots = slots;
    this.parameters = parameters;
  }

  static Optional<Step> of(Statement s, Slots slots, List<ParsedKernel.Parameter> parameters) {
    return Optional.ofNullable(new MemorySteps(s, slots, parameters).step());
  }

  private Step step() {
    int point = s.mnemonic().indexOf('.');
    return switch (point < 0 ? s.mnemonic() : s.mnemonic().substring(0, point)) {
      case "ld" -> s.has("param") ? loadParameter() : load();
      case "st" -> store();
      case "atom" -> change(1);
      case "red" -> change(0);
      default -> null;
    };
  }

  private Step loadParameter() {
    var name = s.operand(1).substring(1, s.operand(1).length() - 1);
    for (int i = 0; i < parameters.size(); i++) {
      var parameter = parameters.get(i);
      if (!parameter.name().equals(name)) continue;
      if (Slots.bits(parameter.type()) != Slots.bits(s.type())) {
        throw slots.problem("parameter %s is .%s".formatted(name, parameter.type()));
      }
      int index = i;
      int to = slots.register(s.operand(0), s.type());
      return Slots.bits(s.type()) == 64
          ? (w, lanes) -> each(lanes, l -> w.wides[to + l] = w.block().argument(index))
          : (w, lanes) -> each(lanes, l -> w.words[to + l] = (int) w.block().argument(index));
    }
    throw slots.problem("parameter " + name + " is not declared");
  }

  private boolean isShared() {
    if (s.has("shared") || s.has("shared::cta")) return true;
    if (s.has("global")) return false;
    throw slots.problem("the interpreter wants to know the space: .global or .shared");
  }

  private int[] places(String operand) {
    var type = s.type();
    return Slots.parts(operand).stream()
        .mapToInt(
            name ->
                name.startsWith("%")
                    ? slots.part(name, type)
                    : Slots.bits(type) == 64 ? slots.wide(name, type) : slots.word(name, type))
        .toArray();
  }

  private static void aligned(Warp w, int lane, long address, int size, String does) {
    if ((address & (size - 1)) != 0) {
      throw w.fault(lane, "%s %d bytes at %#x: misaligned".formatted(does, size, address));
    }
  }

  private Step load() {
    var type = s.type();
    int size = Slots.bits(type) / 8;
    boolean isSigned = type.startsWith("s");
    int[] to = places(s.operand(0));
    checkCount(to.length);
    int total = size * to.length;
    boolean isShared = isShared();
    var from = Address.parse(s.operand(1), isShared, slots);
    if (isShared) {
      return (w, lanes) -> {
        var memory = w.block().shared();
        for (int l = 0; l < Slots.LANES; l++) {
          if ((lanes >>> l & 1) == 0) continue;
          int at = from.sharedOf(w, l);
          memory.read(w, l, at, total);
          for (int target : to) {
            put(w, target + l, memory.bytes(), at, size, isSigned);
            at += size;
          }
        }
      };
    }
    var near = new Allocation[1];
    boolean isAcquire = s.has("acquire") || s.has("volatile") || s.has("relaxed");
    boolean isConstant = s.has("nc");
    return (w, lanes) -> {
      for (int l = 0; l < Slots.LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        long address = from.of(w, l);
        var memory = allocation(near, w, l, address, total, "reads");
        int at = memory.index(address);
        if (memory.unwritten(at, total) >= 0) {
          throw w.fault(l, "reads %d bytes at %#x, unwritten".formatted(total, address));
        }
        if (total >= 4 && !isAcquire) memory.noteRead(at, total, w, l);
        if (isConstant || !w.hasWaited(l)) checkConstant(memory, at, total, w, l, address);
        for (int target : to) {
          put(w, target + l, memory.bytes(), at, size, isSigned);
          at += size;
        }
      }
    };
  }

  /** What kernels write is no constant, and not there before they have ended. */
  private static void checkConstant(
      Allocation memory, int at, int size, Warp w, int lane, long address) {
    if (!memory.isOfKernels(at, size, w)) return;
    w.requireWaited(lane, "reads what kernels write in", address);
    throw w.fault(lane, "reads %#x as a constant (.nc), which kernels write".formatted(address));
  }

  private static Allocation allocation(
      Allocation[] near, Warp w, int lane, long address, int size, String does) {
    aligned(w, lane, address, size, does);
    if (near[0] == null || !near[0].holds(address, size)) {
      near[0] = w.block().global().access(w, lane, address, size, does);
    }
    return near[0];
  }

  private void checkCount(int count) {
    int said = s.has("v4") ? 4 : s.has("v2") ? 2 : 1;
    if (count != said) throw slots.problem("%d registers where %d belong".formatted(count, said));
  }

  private static void put(Warp w, int to, byte[] from, int at, int size, boolean isSigned) {
    switch (size) {
      case 1 -> w.words[to] = isSigned ? from[at] : from[at] & 0xFF;
      case 2 -> {
        short value = (short) SHORT.get(from, at);
        w.words[to] = isSigned ? value : value & 0xFFFF;
      }
      case 4 -> w.words[to] = (int) INT.get(from, at);
      default -> w.wides[to] = (long) LONG.get(from, at);
    }
  }

  private static void take(Warp w, int from, byte[] to, int at, int size) {
    switch (size) {
      case 1 -> to[at] = (byte) w.words[from];
      case 2 -> SHORT.set(to, at, (short) w.words[from]);
      case 4 -> INT.set(to, at, w.words[from]);
      default -> LONG.set(to, at, w.wides[from]);
    }
  }

  private Step store() {
    int size = Slots.bits(s.type()) / 8;
    boolean isShared = isShared();
    var to = Address.parse(s.operand(0), isShared, slots);
    int[] from = places(s.operand(1));
    checkCount(from.length);
    int total = size * from.length;
    if (isShared) {
      return (w, lanes) -> {
        var memory = w.block().shared();
        for (int l = 0; l < Slots.LANES; l++) {
          if ((lanes >>> l & 1) == 0) continue;
          int at = to.sharedOf(w, l);
          memory.write(w, l, at, total);
          for (int source : from) {
            take(w, source + l, memory.bytes(), at, size);
            at += size;
          }
        }
      };
    }
    var near = new Allocation[1];
    boolean isRelease = s.has("release") || s.has("volatile") || s.has("relaxed");
    return (w, lanes) -> {
      for (int l = 0; l < Slots.LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        long address = to.of(w, l);
        w.requireWaited(l, "writes", address);
        var memory = allocation(near, w, l, address, total, "writes");
        int at = memory.index(address);
        if (total >= 4 && !isRelease) memory.noteWrite(at, total, w, l);
        memory.write(at, total);
        for (int source : from) {
          take(w, source + l, memory.bytes(), at, size);
          at += size;
        }
      }
    };
  }

  /** An atomic change; the first operand is what was there, unless nobody asks. */
  private Step change(int results) {
    boolean isShared = isShared();
    var at = Address.parse(s.operand(results), isShared, slots);
    var type = s.type();
    if (Slots.bits(type) != 32) throw slots.problem("changes of ." + type + " are not known");
    int to = results == 0 ? -1 : slots.register(s.operand(0), type);
    int a = slots.word(s.operand(results + 1), type);
    boolean isSwapIf = s.has("cas");
    int b = isSwapIf ? slots.word(s.operand(results + 2), type) : a;
    IntBinaryOperator f = operation(type);
    var near = new Allocation[1];
    return (w, lanes) -> {
      for (int l = 0; l < Slots.LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        byte[] bytes;
        int index;
        if (isShared) {
          index = at.sharedOf(w, l);
          w.block().shared().atomic(w, l, index, 4);
          bytes = w.block().shared().bytes();
        } else {
          long address = at.of(w, l);
          w.requireWaited(l, "changes", address);
          var memory = allocation(near, w, l, address, 4, "changes");
          index = memory.index(address);
          if (memory.unwritten(index, 4) >= 0) {
            throw w.fault(l, "changes 4 bytes at %#x, unwritten".formatted(address));
          }
          bytes = memory.bytes();
        }
        int before = (int) INT.get(bytes, index);
        int after =
            isSwapIf
                ? before == w.words[a + l] ? w.words[b + l] : before
                : f.applyAsInt(before, w.words[a + l]);
        INT.set(bytes, index, after);
        if (to >= 0) w.words[to + l] = before;
      }
    };
  }

  private IntBinaryOperator operation(String type) {
    boolean isReal = type.equals("f32");
    if (s.has("add")) {
      return isReal
          ? (x, y) -> Float.floatToRawIntBits(Float.intBitsToFloat(x) + Float.intBitsToFloat(y))
          : Integer::sum;
    }
    boolean isSigned = type.equals("s32");
    if (s.has("max")) return (x, y) -> order(x, y, isSigned) > 0 ? x : y;
    if (s.has("min")) return (x, y) -> order(x, y, isSigned) < 0 ? x : y;
    if (s.has("exch")) return (_, y) -> y;
    if (s.has("and")) return (x, y) -> x & y;
    if (s.has("or")) return (x, y) -> x | y;
    if (s.has("inc")) return (x, y) -> Integer.compareUnsigned(x, y) >= 0 ? 0 : x + 1;
    if (s.has("cas")) return (x, _) -> x;
    throw slots.problem("no change of memory that the interpreter knows");
  }

  private static int order(int x, int y, boolean isSigned) {
    return isSigned ? Integer.compare(x, y) : Integer.compareUnsigned(x, y);
  }
}
