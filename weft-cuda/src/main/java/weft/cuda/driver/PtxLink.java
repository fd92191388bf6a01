package weft.cuda.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Compiles PTX for the current context's device by the driver's linker, which, other than a module,
 * gives the code away.
 */
final class PtxLink {
  /** CU_JIT_INPUT_PTX of cuda.h. */
  private static final int INPUT_PTX = 1;

  private final Calls calls;

  PtxLink(Calls calls) {
    this.calls = calls;
  }

  byte[] compile(String ptx) {
    try (var log = new JitLog()) {
      int status =
          calls.status("cuLinkCreate_v2", JitLog.OPTIONS, log.options(), log.values(), log.found());
      calls.check(status, "cuLinkCreate_v2", " for a module of kernels");
      long link = log.word();
      try {
        return linked(link, ptx, log);
      } finally {
        calls.status("cuLinkDestroy", link);
      }
    }
  }

  @SuppressWarnings("restricted") // the linker says how long its code is
  private byte[] linked(long link, String ptx, JitLog log) {
    try (var arena = Arena.ofConfined()) {
      // With the zero at its end, which the linker wants and counts.
      var text = arena.allocateFrom(ptx);
      var name = arena.allocateFrom("kernels.ptx");
      int status =
          calls.status(
              "cuLinkAddData_v2",
              link,
              INPUT_PTX,
              text.address(),
              text.byteSize(),
              name.address(),
              0,
              0,
              0);
      calls.check(status, "cuLinkAddData_v2", " for a module of kernels: " + log.text());
      var code = arena.allocate(ValueLayout.JAVA_LONG);
      var bytes = arena.allocate(ValueLayout.JAVA_LONG);
      status = calls.status("cuLinkComplete", link, code.address(), bytes.address());
      calls.check(status, "cuLinkComplete", " for a module of kernels: " + log.text());
      // The code is the link's own, and goes with it.
      return MemorySegment.ofAddress(code.get(ValueLayout.JAVA_LONG, 0))
          .reinterpret(bytes.get(ValueLayout.JAVA_LONG, 0))
          .toArray(ValueLayout.JAVA_BYTE);
    }
  }
}
