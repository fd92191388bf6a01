package weft.cpu.kernel.walk;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import weft.cpu.asm.Frame;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The loop that a worker stays in for a run of launches: it calls kernel after kernel with this
 * worker's share, waits for the other workers where the list says so, and returns to Java at the
 * end of the plan, or where the meeting was called off. A {@link weft.cpu.asm.Fault} in a kernel
 * ends the walk of all.
 *
 * <p>A kernel itself: its arguments are a {@link WalkPlan}, {@code from} is the worker's number and
 * {@code scratch} what it hands on to every kernel.
 */
public final class Walker {
  public static final String NAME = "walker";
  public static final String CALL_OFF_NAME = "calloff";

  /** Linux's sched_yield and futex, and what a futex is asked to do, within the process. */
  private static final int YIELD = 24;

  private static final int FUTEX = 202;
  private static final int WAIT = 128;
  private static final int WAKE = 129;

  /** On the stack below the saved registers, for who comes here by a fault. */
  private static final int KEPT_MEETING = 0;

  private static final int KEPT_FRAME = 8;

  /**
   * The two words above and one that is unused: with the six saved registers and the return address
   * these are ten, so that the stack is at a multiple of 16 when a kernel is called.
   */
  private static final int KEPT_BYTES = 24;

  private static final Gpr LAUNCH = RBX;
  private static final Gpr CALL_AT = RBP;
  private static final Gpr PLAN = R12;
  private static final Gpr WORKER = R13;
  private static final Gpr SPARE = R14;
  private static final Gpr MEETING = R15;

  private Walker() {}

  public static void emit(KernelWriter w) {
    var launches = w.label("launches");
    var calls = w.label("calls");
    var next = w.label("next");
    var notACall = w.label("not_a_call");
    var ended = w.label("ended");
    var unseen = w.label("unseen");
    var faulted = w.label("faulted");
    var done = w.label("done");
    w.begin(NAME);
    w.op(SUB, RSP, imm(KEPT_BYTES));
    w.op(MOV, PLAN, ARGUMENTS);
    w.op(MOV, WORKER, FROM);
    w.op(MOV, SPARE, SCRATCH);
    w.op(MOV, MEETING, at(PLAN, WalkPlan.MEETING));
    keepWayOut(w, faulted);
    w.op(LEA, LAUNCH, at(PLAN, WalkPlan.LAUNCHES));
    w.op(TEST, WORKER, WORKER);
    w.op(JNE, launches);
    stamp(w, PLAN, WalkPlan.BEGUN);

    w.loop(launches);
    w.op(MOV, CALL_AT, at(LAUNCH, WalkPlan.CALLS));
    w.op(TEST, CALL_AT, CALL_AT);
    w.op(JE, done);

    w.loop(calls);
    w.op(MOV, RAX, at(CALL_AT, CallList.KERNEL));
    w.op(CMP, RAX, imm(CallList.MEET));
    w.op(JBE, notACall);
    w.op(MOVSXD, FROM, at(CALL_AT, WORKER, 8, CallList.SHARES).sized(32));
    w.op(MOVSXD, TO, at(CALL_AT, WORKER, 8, CallList.SHARES + 4).sized(32));
    w.op(CMP, FROM, TO);
    w.op(JGE, next);
    w.op(MOV, ARGUMENTS, at(CALL_AT, CallList.ARGUMENTS));
    w.op(MOV, SCRATCH, SPARE);
    w.op(CALL, RAX);
    w.bind(next);
    w.op(ADD, CALL_AT, at(PLAN, WalkPlan.STRIDE));
    w.op(JMP, calls);

    w.bind(notACall);
    w.op(JB, ended);
    meet(w, done);
    w.op(JMP, next);

    w.bind(ended);
    meet(w, done);
    w.op(TEST, WORKER, WORKER);
    w.op(JNE, unseen);
    stamp(w, LAUNCH, WalkPlan.ENDED);
    w.bind(unseen);
    w.op(ADD, LAUNCH, imm(WalkPlan.LAUNCH_BYTES));
    w.op(JMP, launches);

    w.note("after a fault only the stack pointer is as it was");
    w.bind(faulted);
    w.op(MOV, MEETING, at(RSP, KEPT_MEETING));
    callOff(w);
    w.bind(done);
    w.op(MOV, RAX, at(RSP, KEPT_FRAME));
    w.op(XOR, RCX, RCX);
    w.op(MOV, at(RAX, Frame.STACK), RCX);
    w.op(ADD, RSP, imm(KEPT_BYTES));
    w.end();
  }

  /** A function of its own: the arguments are a {@link Meeting}. */
  public static void emitCallOff(KernelWriter w) {
    w.begin(CALL_OFF_NAME);
    w.op(MOV, MEETING, ARGUMENTS);
    callOff(w);
    w.end();
  }

  /** Tells the frame of this worker where to go on after a fault. */
  private static void keepWayOut(KernelWriter w, Label faulted) {
    w.op(MOV, RAX, WORKER);
    w.op(SHL, RAX, imm(6));
    w.op(MOV, RAX, at(MEETING, RAX, 1, Meeting.PASSED + Meeting.FRAME));
    w.op(MOV, at(RSP, KEPT_MEETING), MEETING);
    w.op(MOV, at(RSP, KEPT_FRAME), RAX);
    w.op(LEA, RCX, at(faulted));
    w.op(MOV, at(RAX, Frame.RESUME), RCX);
    w.op(MOV, at(RAX, Frame.STACK), RSP);
  }

  /** The first worker writes down the time, in ticks: a trace is made of them. */
  private static void stamp(KernelWriter w, Gpr base, int offset) {
    w.op(RDTSC);
    w.op(SHL, RDX, imm(32));
    w.op(OR, RAX, RDX);
    w.op(MOV, at(base, offset), RAX);
  }

  /**
   * Adds one to the arrivals and waits until all have come: looks for a while, then gives way to
   * other threads, then sleeps until the last one comes. Goes to {@code leave} when the meeting was
   * called off.
   */
  private static void meet(KernelWriter w, Label leave) {
    var look = w.label("look");
    var spin = w.label("spin");
    var sleep = w.label("sleep");
    var awake = w.label("awake");
    var last = w.label("last");
    var together = w.label("together");
    w.note("r8 = arrivals that end this wait");
    w.op(MOV, RAX, WORKER);
    w.op(SHL, RAX, imm(6));
    w.op(LEA, R9, at(MEETING, RAX, 1, Meeting.PASSED));
    w.op(INC, at(R9).sized(64));
    w.op(MOV, R8, at(R9));
    w.op(IMUL, R8, at(MEETING, Meeting.WORKERS));
    w.op(MOV, RAX.d(), imm(1));
    w.op(LOCK_XADD, at(MEETING, Meeting.ARRIVALS), RAX);
    w.op(INC, RAX);
    w.op(CMP, RAX, R8);
    w.op(JE, last);
    w.note("r10 = looks left, then below zero the times it gave way");
    w.op(MOV, R10, at(MEETING, Meeting.SPINS));
    w.bind(look);
    w.op(CMP, at(MEETING, Meeting.ARRIVALS), R8);
    w.op(JGE, together);
    w.op(DEC, R10);
    w.op(JNS, spin);
    w.op(MOV, RAX, R10);
    w.op(ADD, RAX, at(MEETING, Meeting.YIELDS));
    w.op(JS, sleep);
    w.note("another thread may hold this core: sched_yield, which spoils rcx and r11");
    w.op(MOV, RAX.d(), imm(YIELD));
    w.op(SYSCALL);
    w.op(JMP, look);
    w.bind(spin);
    w.op(PAUSE);
    w.op(JMP, look);

    w.note("whoever comes last looks for sleepers after it is counted, and they count themselves");
    w.note("before they look at the arrivals again: one of the two sees the other");
    w.bind(sleep);
    w.op(LOCK_INC, at(MEETING, Meeting.SLEEPERS).sized(64));
    w.op(MOV, RDX, at(MEETING, Meeting.ARRIVALS));
    w.op(CMP, RDX, R8);
    w.op(JGE, awake);
    w.op(LEA, RDI, at(MEETING, Meeting.ARRIVALS));
    w.op(MOV, RSI.d(), imm(WAIT));
    w.op(XOR, R10, R10);
    w.op(MOV, RAX.d(), imm(FUTEX));
    w.op(SYSCALL);
    w.bind(awake);
    w.op(LOCK_DEC, at(MEETING, Meeting.SLEEPERS).sized(64));
    w.op(XOR, R10, R10);
    w.op(JMP, look);

    w.bind(last);
    w.op(CMP, at(MEETING, Meeting.SLEEPERS).sized(64), imm(0));
    w.op(JE, together);
    wakeAll(w);
    w.bind(together);
    w.op(CMP, at(MEETING, Meeting.CALLED_OFF).sized(64), imm(0));
    w.op(JNE, leave);
  }

  /** Once: a second time would make the arrivals negative. */
  private static void callOff(KernelWriter w) {
    var already = w.label("already");
    w.op(MOV, RAX.d(), imm(1));
    w.note("locks by itself");
    w.op(XCHG, at(MEETING, Meeting.CALLED_OFF), RAX);
    w.op(TEST, RAX, RAX);
    w.op(JNE, already);
    w.op(MOVABS, RAX, imm(Meeting.ALL));
    w.op(LOCK_ADD, at(MEETING, Meeting.ARRIVALS), RAX);
    wakeAll(w);
    w.bind(already);
  }

  private static void wakeAll(KernelWriter w) {
    w.op(LEA, RDI, at(MEETING, Meeting.ARRIVALS));
    w.op(MOV, RSI.d(), imm(WAKE));
    w.op(MOV, RDX.d(), imm(Integer.MAX_VALUE));
    w.op(MOV, RAX.d(), imm(FUTEX));
    w.op(SYSCALL);
  }
}
