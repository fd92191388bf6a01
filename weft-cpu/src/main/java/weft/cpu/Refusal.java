package weft.cpu;

import java.util.function.Supplier;
import weft.backend.BackendException;
import weft.cpu.asm.AsmException;
import weft.cpu.kernel.emit.KernelException;

/** Makes what the system refuses to emitted code (pages, threads) the device's own exception. */
final class Refusal {
  private Refusal() {}

  static <T> T declared(Supplier<T> work) {
    try {
      return work.get();
    } catch (AsmException | KernelException e) {
      throw new BackendException(e.getMessage(), e);
    }
  }
}
