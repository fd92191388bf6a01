package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The system calls that pages of memory take, on the one platform that code is emitted for. */
final class Libc {
  static final int READ = 1;
  static final int WRITE = 2;
  static final int EXECUTE = 4;

  private static final long FAILED = -1;
  private static final int MAP_PRIVATE = 0x02;
  private static final int MAP_ANONYMOUS = 0x20;
  private static final int MADV_FREE = 8;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_PAGEOUT = 21;

  /** Linux's struct utsname: six strings of 65 bytes; sysname is the first, machine the fifth. */
  private static final int UTSNAME_FIELD = 65;

  private static final int UTSNAME_ROOM = 2048;

  /** Linux's struct sigaction as the C library has it: the handler first, 128 bytes of mask. */
  private static final int SIGACTION_BYTES = 152;

  /** Linux's arch_prctl on x86-64, and what asks for registers that are as large as tiles. */
  private static final int ARCH_PRCTL = 158;

  private static final int ARCH_REQ_XCOMP_PERM = 0x1023;
  private static final int TILE_DATA = 18;

  private static final long SIG_DFL = 0;
  private static final long SIG_IGN = 1;

  private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      CALL_STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  /**
   * Six words in, one word out: the registers of the C convention are wide enough for every call
   * here, and the JVM's part of a call, which takes it milliseconds to make, is made once.
   */
  private static final FunctionDescriptor WORDS =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static Optional<Libc> opened = Optional.empty();

  private final MethodHandle call;
  private final MemorySegment mmap;
  private final MemorySegment mprotect;
  private final MemorySegment munmap;
  private final MemorySegment mlock;
  private final MemorySegment madvise;
  private final MemorySegment sigaction;
  private final MemorySegment syscall;

  @SuppressWarnings("restricted") // this room is where native access is asked for
  private Libc(Linker linker) {
    var lookup = linker.defaultLookup();
    call = linker.downcallHandle(WORDS, Linker.Option.captureCallState("errno"));
    requireLinuxOnX86(find(lookup, "uname"));
    mmap = find(lookup, "mmap");
    mprotect = find(lookup, "mprotect");
    munmap = find(lookup, "munmap");
    mlock = find(lookup, "mlock");
    madvise = find(lookup, "madvise");
    sigaction = find(lookup, "sigaction");
    syscall = find(lookup, "syscall");
  }

  /** The calls of this process, or an exception that says why code emitted here cannot run. */
  static synchronized Libc open() {
    try {
      if (opened.isEmpty()) opened = Optional.of(new Libc(Linker.nativeLinker()));
      return opened.get();
    } catch (IllegalCallerException e) {
      throw new AsmException(
          "this JVM forbids native access, which emitted code needs; start it with"
              + " --enable-native-access=weft.cpu (or ALL-UNNAMED on the class path)",
          e);
    }
  }

  private void requireLinuxOnX86(MemorySegment uname) {
    try (var arena = Arena.ofConfined()) {
      var name = arena.allocate(UTSNAME_ROOM);
      call("uname", UTSNAME_ROOM, uname, name.address(), 0, 0, 0, 0, 0);
      var system = name.getString(0);
      var machine = name.getString(4L * UTSNAME_FIELD);
      if (!system.equals("Linux") || !machine.equals("x86_64")) {
        throw new AsmException(
            "this is " + system + " " + machine + "; emitted code runs on Linux x86_64 alone");
      }
    }
  }

  private static MemorySegment find(SymbolLookup lookup, String name) {
    return lookup
        .find(name)
        .orElseThrow(() -> new AsmException("this system has no " + name + "; code needs Linux"));
  }

  /** Fresh zeroed pages, readable and writable, that the caller must {@link #unmap}. */
  MemorySegment mapWritable(long bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    return MemorySegment.ofAddress(call("mmap", bytes, mmap, 0, bytes, READ | WRITE, flags, -1, 0));
  }

  void protect(MemorySegment pages, long bytes, int protection) {
    call("mprotect", bytes, mprotect, pages.address(), bytes, protection, 0, 0, 0);
  }

  void unmap(MemorySegment pages, long bytes) {
    call("munmap", bytes, munmap, pages.address(), bytes, 0, 0, 0, 0);
  }

  /** Reads pages and keeps them resident until they are unmapped. */
  void lock(MemorySegment pages) {
    call("mlock", pages.byteSize(), mlock, pages.address(), pages.byteSize(), 0, 0, 0, 0);
  }

  /** Asks for large pages where the system has them; throws where it knows none. */
  void askForLarge(MemorySegment pages) {
    long bytes = pages.byteSize();
    call("madvise", bytes, madvise, pages.address(), bytes, MADV_HUGEPAGE, 0, 0, 0);
  }

  /** Lets pages go when the system is short, until they are written to; throws where it cannot. */
  void free(MemorySegment pages) {
    long bytes = pages.byteSize();
    call("madvise", bytes, madvise, pages.address(), bytes, MADV_FREE, 0, 0, 0);
  }

  /** Takes pages out of memory that their file still has; throws where the system cannot. */
  void pageOut(MemorySegment pages) {
    long bytes = pages.byteSize();
    call("madvise", bytes, madvise, pages.address(), bytes, MADV_PAGEOUT, 0, 0, 0);
  }

  /**
   * Asks for the use of tile registers by all threads; false where the system has no such thing.
   */
  boolean allowsTiles() {
    try {
      call("arch_prctl", 0, syscall, ARCH_PRCTL, ARCH_REQ_XCOMP_PERM, TILE_DATA, 0, 0, 0);
      return true;
    } catch (AsmException refused) {
      return false;
    }
  }

  /**
   * Puts a handler before the one that a signal has, with that one's mask and flags; without one
   * before it, nothing is done.
   *
   * @param before is told the address of the other handler before the first signal can come
   */
  void handleFirst(int signal, MemorySegment handler, LongConsumer before) {
    try (var arena = Arena.ofConfined()) {
      var action = arena.allocate(SIGACTION_BYTES);
      call("sigaction", 0, sigaction, signal, 0, action.address(), 0, 0, 0);
      long former = action.get(JAVA_LONG, 0);
      if (former == SIG_DFL || former == SIG_IGN) return;
      before.accept(former);
      action.set(JAVA_LONG, 0, handler.address());
      call("sigaction", 0, sigaction, signal, action.address(), 0, 0, 0, 0);
    }
  }

  private long call(
      String name,
      long bytes,
      MemorySegment function,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(CALL_STATE);
      long result = (long) call.invokeExact(function, state, a, b, c, d, e, f);
      // A function that returns an int says nothing of the upper half.
      if (result != FAILED && (int) result != FAILED) {
        return result;
      }
      throw new AsmException(
          name
              + " of "
              + bytes
              + " bytes was refused with errno "
              + state.get(ValueLayout.JAVA_INT, ERRNO)
              + "; there is no memory left, or a security policy forbids what is executable: use the"
              + " portable kernels");
    } catch (AsmException refused) {
      throw refused;
    } catch (Throwable thrown) {
      throw new AsmException(name + " could not be called", thrown);
    }
  }
}
