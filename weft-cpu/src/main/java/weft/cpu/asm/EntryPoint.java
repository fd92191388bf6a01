package weft.cpu.asm;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** A function in a {@link CodeMemory}; it can be called as long as that memory is open. */
public final class EntryPoint {
  private final String name;
  private final MemorySegment code;

  EntryPoint(String name, MemorySegment code) {
    this.name = name;
    this.code = code;
  }

  public String name() {
    return name;
  }

  /** A handle that calls this function by the C convention. */
  @SuppressWarnings("restricted")
  public MethodHandle handle(FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(code, type);
  }

  /**
   * A handle that calls without leaving the Java state of the thread: cheaper, but the collector
   * waits for it, so it is for functions of microseconds.
   */
  @SuppressWarnings("restricted")
  public MethodHandle criticalHandle(FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(code, type, Linker.Option.critical(false));
  }

  /** Writes where this function lies into a table that emitted code calls through. */
  public void writeTo(MemorySegment table, long offset) {
    table.set(ValueLayout.ADDRESS_UNALIGNED, offset, code);
  }
}
