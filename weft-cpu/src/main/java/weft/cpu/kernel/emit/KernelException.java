package weft.cpu.kernel.emit;

/** A kernel asked for what it does not do: the kernel, the value met, the expectation. */
public final class KernelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public KernelException(String message) {
    super(message);
  }
}
