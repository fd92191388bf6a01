package weft.cpu.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import weft.cpu.asm.EntryPoint;

/**
 * An emitted function {@code void (arguments, from, to, scratch)} over a range of its work; it
 * lives as long as the {@link KernelLibrary} it comes from.
 *
 * <p>It reads its pointers and sizes from the argument block, so Java calls it launch by launch and
 * an emitted program calls it through its {@link #entry} alike. It keeps the callee-saved registers
 * and may change all vector and mask registers.
 */
public final class Kernel {
  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);

  private final EntryPoint entry;
  private final MethodHandle call;

  Kernel(EntryPoint entry) {
    this.entry = entry;
    this.call = entry.handle(TYPE);
  }

  public String name() {
    return entry.name();
  }

  public EntryPoint entry() {
    return entry;
  }

  /** Does the part of the work from {@code from} (inclusive) to {@code to} (exclusive). */
  public void run(MemorySegment arguments, long from, long to, MemorySegment scratch) {
    try {
      call.invokeExact(arguments, from, to, scratch);
    } catch (Throwable e) {
      throw new KernelException("the kernel " + name() + " could not be called", e);
    }
  }
}
