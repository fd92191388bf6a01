package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.Optional;

/**
 * Ends a run of emitted code where the memory that it wants is not there, instead of the process.
 *
 * <p>A mapped file that somebody cuts short has pages that nobody can read: the system sends SIGBUS
 * to the thread that tries, and the JVM takes a signal in code that is not its own as the end of
 * everything. So an emitted handler stands before the JVM's: a fault in emitted code above a {@link
 * Frame} in use is noted there, and the thread goes on at the frame's way out. Every other signal
 * goes to the JVM as it came.
 *
 * <p>There is one for the process, since signals are the process's; it stays for good.
 */
public final class FaultGuard {
  /** What the handler reads: the handlers before it, how far its tables go, the tables. */
  private static final int BEFORE_GONE = 0;

  private static final int BEFORE_STRANGE = 8;
  private static final int CODE_COUNT = 16;
  private static final int FRAME_COUNT = 24;
  private static final int CODES = 64;

  /** From where to where a piece of code lies. */
  private static final int CODE_BYTES = 16;

  private static final int MOST_CODES = 1 << 14;
  private static final int FRAMES = CODES + MOST_CODES * CODE_BYTES;
  private static final int MOST_FRAMES = 1 << 13;
  private static final long BYTES = FRAMES + (long) MOST_FRAMES * Frame.BYTES;

  /** Kernels take a few hundred bytes of stack below their frame. */
  private static final int DEEPEST = 1 << 16;

  /** No code begins here. */
  private static final long NOWHERE = -1;

  /** Of Linux's ucontext_t and siginfo_t on x86-64. */
  private static final int CONTEXT_RSP = 160;

  private static final int CONTEXT_RIP = 168;
  private static final int INFO_ADDRESS = 16;

  private static Optional<FaultGuard> opened = Optional.empty();

  private final MemorySegment memory;
  private final BitSet codes = new BitSet();
  private final BitSet frames = new BitSet();

  @SuppressWarnings("restricted") // the mapping is fresh and as long as is said
  private FaultGuard(Libc libc) {
    memory = libc.mapWritable(BYTES).reinterpret(BYTES);
    install(libc);
  }

  /** The guard of this process; throws {@link AsmException} where code cannot be emitted. */
  public static synchronized FaultGuard open() {
    if (opened.isEmpty()) opened = Optional.of(new FaultGuard(Libc.open()));
    return opened.get();
  }

  @SuppressWarnings("restricted")
  private void install(Libc libc) {
    var code = handler();
    var pages = libc.mapWritable(code.size()).reinterpret(code.size());
    MemorySegment.copy(MemorySegment.ofArray(code.bytes()), 0, pages, 0, code.size());
    libc.protect(pages, code.size(), Libc.READ | Libc.EXECUTE);
    for (var kind : Fault.Kind.values()) {
      int place = kind == Fault.Kind.GONE ? BEFORE_GONE : BEFORE_STRANGE;
      libc.handleFirst(kind.signal(), pages, before -> memory.set(JAVA_LONG, place, before));
    }
  }

  /** {@code void (signal, siginfo, context)}: leaves rdi, rsi and rdx for the handler before it. */
  private Code handler() {
    var a = new Assembler();
    var strange = a.label("strange");
    var others = a.label("others");
    var code = a.label("code");
    var nextCode = a.label("next_code");
    var ours = a.label("ours");
    var frame = a.label("frame");
    var nextFrame = a.label("next_frame");
    a.entry("fault");
    a.note("r8 = where it happened; is that code of ours?");
    a.op(MOV, R8, at(RDX, CONTEXT_RIP));
    a.op(MOVABS, R11, imm(memory.address()));
    a.op(LEA, RAX, at(R11, CODES));
    a.op(MOV, RCX, at(R11, CODE_COUNT));
    a.bind(code);
    a.op(DEC, RCX);
    a.op(JS, others);
    a.op(CMP, R8, at(RAX));
    a.op(JB, nextCode);
    a.op(CMP, R8, at(RAX, 8));
    a.op(JB, ours);
    a.bind(nextCode);
    a.op(ADD, RAX, imm(CODE_BYTES));
    a.op(JMP, code);

    a.note("r10 = the frame in use that is nearest above the stack pointer, r9 = how near");
    a.bind(ours);
    a.op(XOR, R10, R10);
    a.op(MOV, R9.d(), imm(DEEPEST));
    a.op(LEA, RAX, at(R11, FRAMES));
    a.op(MOV, RCX, at(R11, FRAME_COUNT));
    a.bind(frame);
    var found = a.label("found");
    a.op(DEC, RCX);
    a.op(JS, found);
    a.op(MOV, R8, at(RAX, Frame.STACK));
    a.op(SUB, R8, at(RDX, CONTEXT_RSP));
    a.op(CMP, R8, R9);
    a.op(JAE, nextFrame);
    a.op(MOV, R9, R8);
    a.op(MOV, R10, RAX);
    a.bind(nextFrame);
    a.op(ADD, RAX, imm(Frame.BYTES));
    a.op(JMP, frame);
    a.bind(found);
    a.op(TEST, R10, R10);
    a.op(JE, others);
    a.note("keep what happened, and go on there");
    a.op(MOV, RAX, at(RSI, INFO_ADDRESS));
    a.op(MOV, at(R10, Frame.ADDRESS), RAX);
    a.op(MOVSXD, RAX, RDI.d());
    a.op(MOV, at(R10, Frame.SIGNAL), RAX);
    a.op(MOV, RAX, at(R10, Frame.STACK));
    a.op(MOV, at(RDX, CONTEXT_RSP), RAX);
    a.op(MOV, RAX, at(R10, Frame.RESUME));
    a.op(MOV, at(RDX, CONTEXT_RIP), RAX);
    a.op(RET);

    a.bind(others);
    a.op(CMP, RDI.d(), imm(Fault.Kind.GONE.signal()));
    a.op(JNE, strange);
    a.op(JMP, at(R11, BEFORE_GONE).sized(64));
    a.bind(strange);
    a.op(JMP, at(R11, BEFORE_STRANGE).sized(64));
    return a.assemble();
  }

  /** Faults in these pages are the guard's; gives a number to {@link #forget} them by. */
  synchronized int watch(MemorySegment pages) {
    int number = take(codes, MOST_CODES, CODE_COUNT, "pieces of emitted code");
    long at = CODES + (long) number * CODE_BYTES;
    memory.set(JAVA_LONG, at + 8, pages.address() + pages.byteSize());
    VarHandle.releaseFence();
    memory.set(JAVA_LONG, at, pages.address());
    return number;
  }

  synchronized void forget(int code) {
    memory.set(JAVA_LONG, CODES + (long) code * CODE_BYTES, NOWHERE);
    codes.clear(code);
  }

  /** A way out for one thread at a time; whoever takes it closes it. */
  public synchronized Frame frame() {
    int number = take(frames, MOST_FRAMES, FRAME_COUNT, "threads in emitted code");
    long at = FRAMES + (long) number * Frame.BYTES;
    return new Frame(this, number, memory.asSlice(at, Frame.BYTES));
  }

  synchronized void giveBack(int frame) {
    frames.clear(frame);
  }

  private int take(BitSet taken, int most, int count, String what) {
    int number = taken.nextClearBit(0);
    if (number == most) {
      throw new AsmException(
          "this process has " + most + " " + what + ", and no more; close models not in use");
    }
    taken.set(number);
    if (number >= memory.get(JAVA_LONG, count)) {
      // Until it is written, the row must match nothing.
      if (count == CODE_COUNT) {
        memory.set(JAVA_LONG, CODES + (long) number * CODE_BYTES, NOWHERE);
      }
      memory.set(JAVA_LONG, count, number + 1L);
    }
    return number;
  }
}
