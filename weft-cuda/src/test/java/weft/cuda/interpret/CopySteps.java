package weft.cuda.interpret;

import static weft.cuda.interpret.MoveSteps.each;

import java.util.Optional;
import weft.cuda.interpret.Instruction.Step;

/** Copies behind a thread's back, and the barriers that count them. */
final class CopySteps {
  private final Statement s;
  private final Slots slots;

  private CopySteps(Statement s, Slots slots) {
    this.s = s;
    this.slots = slots;
  }

  static Optional<Step> of(Statement s, Slots slots) {
    return Optional.ofNullable(new CopySteps(s, slots).step());
  }

  private Step step() {
    var m = s.mnemonic();
    if (m.startsWith("cp.async.bulk.shared::cluster.global")) return bulk();
    if (m.equals("cp.async.commit_group")) {
      return (w, lanes) -> each(lanes, w.copies()::commit);
    }
    if (m.equals("cp.async.wait_group") || m.equals("cp.async.wait_all")) {
      int pending = s.operands().isEmpty() ? 0 : (int) slots.whole(s.operand(0));
      return (w, lanes) -> each(lanes, l -> w.copies().await(l, pending));
    }
    if (m.startsWith("cp.async.c")) return copy();
    if (m.startsWith("mbarrier.init")) return init();
    if (m.startsWith("mbarrier.arrive")) return arrive();
    if (m.startsWith("mbarrier.try_wait.parity") || m.startsWith("mbarrier.test_wait.parity")) {
      return test();
    }
    if (m.startsWith("cp.async.bulk.prefetch.L2.global")) return fetchAhead();
    if (m.equals("griddepcontrol.wait")) return (w, lanes) -> w.awaitLast(lanes);
    if (m.startsWith("fence.proxy.async")) {
      return (w, _) -> w.block().shared().fence(w.number());
    }
    if (m.startsWith("fence.")
        || m.startsWith("membar.")
        || m.equals("griddepcontrol.launch_dependents")) {
      return Instruction.NOTHING;
    }
    return null;
  }

  /** Changes nothing; but bytes that are not there, or not sixteens, are a mistake. */
  private Step fetchAhead() {
    var from = Address.parse(s.operand(0), false, slots);
    int size = slots.word(s.operand(1), "b32");
    return (w, lanes) ->
        each(
            lanes,
            l -> {
              int bytes = w.words[size + l];
              long source = from.of(w, l);
              if (bytes % 16 != 0 || source % 16 != 0) {
                throw w.fault(
                    l,
                    "fetches %d bytes at %#x: both must be multiples of 16, misaligned"
                        .formatted(bytes, source));
              }
              w.block().global().access(w, l, source, bytes, "fetches");
            });
  }

  private Step copy() {
    var to = Address.parse(s.operand(0), true, slots);
    var from = Address.parse(s.operand(1), false, slots);
    int size = (int) slots.whole(s.operand(2));
    int taken = slots.word(s.operands().size() > 3 ? s.operand(3) : s.operand(2), "b32");
    return (w, lanes) ->
        each(
            lanes,
            l -> {
              int at = to.sharedOf(w, l);
              if (at % size != 0) {
                throw w.fault(l, "copies %d bytes to %d: misaligned".formatted(size, at));
              }
              int bytes = w.words[taken + l];
              long source = from.of(w, l);
              if (source % size != 0) {
                throw w.fault(l, "copies %d bytes from %#x: misaligned".formatted(size, source));
              }
              w.block().shared().expect(w, l, at, size);
              check(w, l, source, bytes);
              w.copies().begin(l, () -> receive(w, at, size, source, bytes));
            });
  }

  private static void check(Warp w, int lane, long source, int bytes) {
    if (bytes == 0) return;
    var memory = w.block().global().access(w, lane, source, bytes, "copies");
    int index = memory.index(source);
    if (memory.unwritten(index, bytes) >= 0) {
      throw w.fault(lane, "copies %d bytes at %#x, unwritten".formatted(bytes, source));
    }
    if (memory.isOfKernels(index, bytes, w))
      w.requireWaited(lane, "copies what kernels write in", source);
    if (bytes >= 4) memory.noteRead(index, bytes, w, lane);
  }

  private static void receive(Warp w, int at, int size, long source, int bytes) {
    var shared = w.block().shared();
    java.util.Arrays.fill(shared.bytes(), at, at + size, (byte) 0);
    if (bytes > 0) {
      var memory = w.block().global().at(source, bytes, "copy");
      System.arraycopy(memory.bytes(), memory.index(source), shared.bytes(), at, bytes);
    }
    shared.received(at, size, w.block().clocks().stamp(w.number()));
  }

  private Step bulk() {
    var to = Address.parse(s.operand(0), true, slots);
    var from = Address.parse(s.operand(1), false, slots);
    int size = slots.word(s.operand(2), "b32");
    var barrier = Address.parse(s.operand(3), true, slots);
    return (w, lanes) ->
        each(
            lanes,
            l -> {
              int at = to.sharedOf(w, l);
              int bytes = w.words[size + l];
              long source = from.of(w, l);
              if (at % 16 != 0 || bytes % 16 != 0 || source % 16 != 0) {
                throw w.fault(
                    l,
                    "copies %d bytes from %#x to %d: all must be multiples of 16, misaligned"
                        .formatted(bytes, source, at));
              }
              check(w, l, source, bytes);
              w.block().shared().expect(w, l, at, bytes);
              var counts = w.block().byteBarrier(w, l, barrier.sharedOf(w, l));
              int stamp = w.block().clocks().stamp(w.number());
              counts.begin(
                  () -> {
                    receive(w, at, bytes, source, bytes);
                    w.block().shared().received(at, bytes, stamp);
                    w.block().shared().fenced(at, bytes);
                    counts.received(bytes, w.number(), stamp);
                  });
            });
  }

  private Step init() {
    var barrier = Address.parse(s.operand(0), true, slots);
    int arrivals = slots.word(s.operand(1), "b32");
    return (w, lanes) ->
        each(
            lanes,
            l -> {
              int at = barrier.sharedOf(w, l);
              w.block().shared().write(w, l, at, 8);
              w.block().makeByteBarrier(at, w.words[arrivals + l]);
            });
  }

  private Step arrive() {
    boolean expects = s.has("expect_tx");
    var barrier = Address.parse(s.operand(1), true, slots);
    int bytes = expects ? slots.word(s.operand(2), "b32") : -1;
    return (w, lanes) ->
        each(
            lanes,
            l -> {
              var counts = w.block().byteBarrier(w, l, barrier.sharedOf(w, l));
              long expected = expects ? w.words[bytes + l] : 0;
              if (!counts.arrive(w.block().clocks(), w.number(), expected)) {
                throw w.fault(l, "arrives at a barrier where all have come");
              }
            });
  }

  private Step test() {
    int to = slots.pred(s.operand(0));
    var barrier = Address.parse(s.operand(1), true, slots);
    int parity = slots.word(s.operand(2), "b32");
    return (w, lanes) -> {
      int is = 0;
      for (int l = 0; l < Slots.LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        var counts = w.block().byteBarrier(w, l, barrier.sharedOf(w, l));
        if (counts.isOver(w.words[parity + l], w.block().clocks(), w.number())) is |= 1 << l;
      }
      w.preds[to] = w.preds[to] & ~lanes | is;
    };
  }
}
