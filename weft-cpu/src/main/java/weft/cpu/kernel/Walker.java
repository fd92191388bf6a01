package weft.cpu.kernel;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.KernelWriter.FROM;
import static weft.cpu.kernel.KernelWriter.SCRATCH;
import static weft.cpu.kernel.KernelWriter.TO;

import weft.cpu.asm.Gpr;

/**
 * The loop that a worker stays in for a run of launches: it calls kernel after kernel with this
 * worker's share, waits for the other workers where the list says so, and returns to Java at the
 * end of the plan.
 *
 * <p>A kernel itself: its arguments are a {@link WalkPlan}, {@code from} is the worker's number and
 * {@code scratch} what it hands on to every kernel.
 */
final class Walker {
  static final String NAME = "walker";

  /** Linux's sched_yield. */
  private static final int YIELD = 24;

  private static final Gpr LAUNCH = RBX;
  private static final Gpr CALL_AT = RBP;
  private static final Gpr PLAN = R12;
  private static final Gpr WORKER = R13;
  private static final Gpr SPARE = R14;
  private static final Gpr MEETING = R15;

  private Walker() {}

  static void emit(KernelWriter w) {
    var launches = w.label("launches");
    var calls = w.label("calls");
    var next = w.label("next");
    var notACall = w.label("not_a_call");
    var ended = w.label("ended");
    var unseen = w.label("unseen");
    var done = w.label("done");
    w.begin(NAME);
    w.note("six registers and the return address lie on the stack: one more keeps it even");
    w.op(SUB, RSP, imm(8));
    w.op(MOV, PLAN, ARGUMENTS);
    w.op(MOV, WORKER, FROM);
    w.op(MOV, SPARE, SCRATCH);
    w.op(MOV, MEETING, at(PLAN, WalkPlan.MEETING));
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
    meet(w);
    w.op(JMP, next);

    w.bind(ended);
    meet(w);
    w.op(TEST, WORKER, WORKER);
    w.op(JNE, unseen);
    stamp(w, LAUNCH, WalkPlan.ENDED);
    w.bind(unseen);
    w.op(ADD, LAUNCH, imm(WalkPlan.LAUNCH_BYTES));
    w.op(JMP, launches);

    w.bind(done);
    w.op(ADD, RSP, imm(8));
    w.end();
  }

  /** The first worker writes down the time, in ticks: a trace is made of them. */
  private static void stamp(KernelWriter w, Gpr base, int offset) {
    w.op(RDTSC);
    w.op(SHL, RDX, imm(32));
    w.op(OR, RAX, RDX);
    w.op(MOV, at(base, offset), RAX);
  }

  /** Adds one to the arrivals and waits until all have; rcx counts the looks. */
  private static void meet(KernelWriter w) {
    var look = w.label("look");
    var spin = w.label("spin");
    var together = w.label("together");
    w.note("r8 = arrivals that end this wait");
    w.op(MOV, RAX, WORKER);
    w.op(SHL, RAX, imm(6));
    w.op(LEA, R9, at(MEETING, RAX, 1, Meeting.PASSED));
    w.op(INC, at(R9).sized(64));
    w.op(MOV, R8, at(R9));
    w.op(IMUL, R8, at(MEETING, Meeting.WORKERS));
    w.op(LOCK_INC, at(MEETING, Meeting.ARRIVALS).sized(64));
    w.op(MOV, R10, at(MEETING, Meeting.SPINS));
    w.bind(look);
    w.op(CMP, at(MEETING, Meeting.ARRIVALS), R8);
    w.op(JGE, together);
    w.op(DEC, R10);
    w.op(JNS, spin);
    w.note("another thread may hold this core: sched_yield, which spoils rcx and r11");
    w.op(MOV, RAX.d(), imm(YIELD));
    w.op(SYSCALL);
    w.op(JMP, look);
    w.bind(spin);
    w.op(PAUSE);
    w.op(JMP, look);
    w.bind(together);
  }
}
