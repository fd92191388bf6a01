package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.function.Predicate;

/** The system calls that pages of memory take, on the one platform that code is emitted for. */
final class Libc {
  static final int READ = 1;
  static final int WRITE = 2;
  static final int EXECUTE = 4;

  private static final long MAP_FAILED = -1;
  private static final int MAP_PRIVATE = 0x02;
  private static final int MAP_ANONYMOUS = 0x20;

  /** Linux's struct utsname: six strings of 65 bytes; sysname is the first, machine the fifth. */
  private static final int UTSNAME_FIELD = 65;

  private static final int UTSNAME_ROOM = 2048;

  private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private final MethodHandle mmap;
  private final MethodHandle mprotect;
  private final MethodHandle munmap;

  private Libc(Linker linker, SymbolLookup lookup) {
    mmap =
        bind(
            linker,
            lookup,
            "mmap",
            FunctionDescriptor.of(
                ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    mprotect =
        bind(
            linker,
            lookup,
            "mprotect",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    munmap = bind(linker, lookup, "munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
  }

  /** The calls of this process, or an exception that says why code emitted here cannot run. */
  @SuppressWarnings("restricted") // this room is where native access is asked for
  static Libc open() {
    try {
      var linker = Linker.nativeLinker();
      var lookup = linker.defaultLookup();
      var uname = find(lookup, "uname");
      requireLinuxOnX86(linker.downcallHandle(uname, FunctionDescriptor.of(JAVA_INT, ADDRESS)));
      return new Libc(linker, lookup);
    } catch (IllegalCallerException e) {
      throw new AsmException(
          "this JVM forbids native access, which emitted code needs; start it with"
              + " --enable-native-access=weft.cpu (or ALL-UNNAMED on the class path)",
          e);
    }
  }

  private static void requireLinuxOnX86(MethodHandle uname) {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocate(UTSNAME_ROOM);
      int status = (int) uname.invokeExact(name);
      var system = name.getString(0);
      var machine = name.getString(4L * UTSNAME_FIELD);
      if (status != 0 || !system.equals("Linux") || !machine.equals("x86_64")) {
        throw new AsmException(
            "this is " + system + " " + machine + "; emitted code runs on Linux x86_64 alone");
      }
    } catch (AsmException e) {
      throw e;
    } catch (Throwable e) {
      throw new AsmException("uname could not be called", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(
      Linker linker, SymbolLookup lookup, String name, FunctionDescriptor type) {
    return linker.downcallHandle(find(lookup, name), type, Linker.Option.captureCallState("errno"));
  }

  private static MemorySegment find(SymbolLookup lookup, String name) {
    return lookup
        .find(name)
        .orElseThrow(() -> new AsmException("this system has no " + name + "; code needs Linux"));
  }

  /** Fresh zeroed pages, readable and writable, that the caller must {@link #unmap}. */
  MemorySegment mapWritable(long bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    return call(
        "mmap",
        bytes,
        state ->
            (MemorySegment)
                mmap.invokeExact(state, MemorySegment.NULL, bytes, READ | WRITE, flags, -1, 0L),
        address -> address.address() != MAP_FAILED);
  }

  void protect(MemorySegment pages, long bytes, int protection) {
    call(
        "mprotect",
        bytes,
        state -> (int) mprotect.invokeExact(state, pages, bytes, protection),
        status -> status == 0);
  }

  void unmap(MemorySegment pages, long bytes) {
    call(
        "munmap",
        bytes,
        state -> (int) munmap.invokeExact(state, pages, bytes),
        status -> status == 0);
  }

  private interface Call<T> {
    T in(MemorySegment callState) throws Throwable;
  }

  private static <T> T call(String name, long bytes, Call<T> call, Predicate<T> succeeded) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(CALL_STATE);
      var result = call.in(state);
      if (succeeded.test(result)) {
        return result;
      }
      throw new AsmException(
          name
              + " of "
              + bytes
              + " bytes was refused with errno "
              + (int) ERRNO.get(state, 0L)
              + "; there is no memory left, or a security policy forbids what is executable: use the"
              + " portable kernels");
    } catch (AsmException e) {
      throw e;
    } catch (Throwable e) {
      throw new AsmException(name + " could not be called", e);
    }
  }
}
