package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** A function in a {@link CodeMemory}; it can be called as long as that memory is open. */
public final class EntryPoint {
  /** One for all functions: the JVM's part of a call takes it milliseconds to make. */
  @SuppressWarnings("restricted") // there is no code here where native access was refused
  private static final MethodHandle CALL =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));

  private final String name;
  private final MemorySegment code;

  EntryPoint(String name, MemorySegment code) {
    this.name = name;
    this.code = code;
  }

  public String name() {
    return name;
  }

  /** Calls this function as {@code void (first, second, third, fourth)}. */
  public void call(MemorySegment first, long second, long third, MemorySegment fourth) {
    try {
      CALL.invokeExact(code, first, second, third, fourth);
    } catch (Throwable e) {
      throw new AsmException(name + " could not be called", e);
    }
  }

  /** A handle by the C convention, for tests of functions of other types. */
  @SuppressWarnings("restricted")
  MethodHandle handle(FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(code, type);
  }

  /** Writes where this function lies into a table that emitted code calls through. */
  public void writeTo(MemorySegment table, long offset) {
    table.set(ValueLayout.ADDRESS_UNALIGNED, offset, code);
  }
}
