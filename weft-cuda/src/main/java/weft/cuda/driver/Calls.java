package weft.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of libcuda. All of them take words and give a status, which becomes an exception with
 * the call's and the code's name.
 */
final class Calls {
  /** The driver's library, which comes with the driver and needs no toolkit. */
  private static final List<String> LIBRARIES = List.of("libcuda.so.1", "nvcuda.dll");

  static final int OUT_OF_MEMORY = 2;
  private static final int NO_DEVICE = 100;

  /** Arguments of {@code cuLaunchKernel}. */
  private static final int LAUNCH = 11;

  private static Optional<Calls> opened = Optional.empty();

  private final SymbolLookup library;
  private final Map<String, MethodHandle> handles = new ConcurrentHashMap<>();

  private Calls(SymbolLookup library) {
    this.library = library;
  }

  /** The library of this process, or an exception that says why there is none. */
  @SuppressWarnings("restricted") // this room is where native access is asked for
  static synchronized Calls open() {
    if (opened.isPresent()) return opened.get();
    for (var name : LIBRARIES) {
      try {
        var calls = new Calls(SymbolLookup.libraryLookup(name, Arena.global()));
        calls.require("cuInit", 0);
        opened = Optional.of(calls);
        return calls;
      } catch (IllegalArgumentException e) {
        // Not a library of this system: the next name may be.
      } catch (IllegalCallerException e) {
        throw new CudaException(
            "the cuda backend calls the driver's library, which this JVM forbids; allow it with"
                + " --enable-native-access=ALL-UNNAMED, or weft.cuda on the module path",
            e);
      }
    }
    throw new CudaException(
        "there is no driver of NVIDIA on this machine (libcuda.so.1); install one, or use --backend"
            + " cpu");
  }

  /** Calls a function; words that it takes as 32 bits are read as such. Gives its status. */
  int status(String name, long... words) {
    try {
      return called(handle(name, words.length), words);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(name, e);
    }
  }

  /** Argument by argument: to have them spread takes ten times as long as the call itself. */
  private static int called(MethodHandle handle, long[] w) throws Throwable {
    return switch (w.length) {
      case 1 -> (int) handle.invokeExact(w[0]);
      case 2 -> (int) handle.invokeExact(w[0], w[1]);
      case 3 -> (int) handle.invokeExact(w[0], w[1], w[2]);
      case 4 -> (int) handle.invokeExact(w[0], w[1], w[2], w[3]);
      case 5 -> (int) handle.invokeExact(w[0], w[1], w[2], w[3], w[4]);
      case LAUNCH ->
          (int)
              handle.invokeExact(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10]);
      default -> (int) handle.asSpreader(long[].class, w.length).invokeExact(w);
    };
  }

  /** Calls a function that must not fail. */
  void require(String name, long... words) {
    check(status(name, words), name, "");
  }

  /**
   * @param context what was done, for the message
   */
  void check(int status, String name, String context) {
    if (status == 0) return;
    if (status == NO_DEVICE) {
      throw new CudaException(
          "NVIDIA's driver is here, but no device that it can use; look with nvidia-smi, or use"
              + " --backend cpu");
    }
    var failed = "%s failed with %s%s".formatted(name, errorName(status), context);
    throw status == OUT_OF_MEMORY
        ? new OutOfDeviceMemoryException(failed)
        : new CudaException(failed);
  }

  private String errorName(int status) {
    try (var arena = Arena.ofConfined()) {
      return text("cuGetErrorName", status, arena) + ": " + text("cuGetErrorString", status, arena);
    }
  }

  @SuppressWarnings("restricted")
  private String text(String call, int status, Arena arena) {
    var found = arena.allocate(ValueLayout.ADDRESS);
    if (status(call, status, found.address()) != 0) return "status " + status;
    return found.get(ValueLayout.ADDRESS, 0).reinterpret(Integer.MAX_VALUE).getString(0);
  }

  private MethodHandle handle(String name, int words) {
    var known = handles.get(name);
    return known != null ? known : bound(name, words);
  }

  /** Every argument fits a word of the C convention, in a register and on the stack alike. */
  @SuppressWarnings("restricted")
  private synchronized MethodHandle bound(String name, int words) {
    var address =
        library
            .find(name)
            .orElseThrow(
                () ->
                    new CudaException(
                        "NVIDIA's driver is too old: it has no "
                            + name
                            + "; weft needs one of CUDA 11.4 or later"));
    var layouts = Collections.nCopies(words, ValueLayout.JAVA_LONG).toArray(new MemoryLayout[0]);
    var handle =
        Linker.nativeLinker()
            .downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT, layouts));
    handles.put(name, handle);
    return handle;
  }
}
