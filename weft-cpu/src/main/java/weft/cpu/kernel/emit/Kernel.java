package weft.cpu.kernel.emit;

import java.lang.foreign.MemorySegment;
import weft.cpu.asm.EntryPoint;
import weft.cpu.kernel.KernelLibrary;

/**
 * An emitted function {@code void (arguments, from, to, scratch)} over a range of its work; it
 * lives as long as the {@link KernelLibrary} it comes from.
 *
 * <p>It reads its pointers and sizes from the argument block, so Java calls it launch by launch and
 * an emitted program calls it through its {@link #entry} alike. It keeps the callee-saved registers
 * and may change all vector and mask registers.
 */
public final class Kernel {
  private final EntryPoint entry;

  public Kernel(EntryPoint entry) {
    this.entry = entry;
  }

  public String name() {
    return entry.name();
  }

  public EntryPoint entry() {
    return entry;
  }

  /** Does the part of the work from {@code from} (inclusive) to {@code to} (exclusive). */
  public void run(MemorySegment arguments, long from, long to, MemorySegment scratch) {
    entry.call(arguments, from, to, scratch);
  }
}
