package weft.cuda.interpret;

import weft.cuda.driver.CudaException;

/** What a kernel must not do: the kernel, the line, the instruction, the block and the thread. */
final class PtxFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PtxFault(String message) {
    super(message);
  }

  static PtxFault at(String kernel, Statement where, String what) {
    return new PtxFault(
        "%s, line %d, `%s`: %s".formatted(kernel, where.line(), where.text(), what));
  }

  CudaException asDriverSays() {
    return new CudaException(getMessage(), this);
  }
}
