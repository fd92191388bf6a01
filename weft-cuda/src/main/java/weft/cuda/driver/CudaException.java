package weft.cuda.driver;

import weft.backend.BackendException;

/** What the driver of a GPU refused or failed to do: the call, the code's name, the kernel. */
public class CudaException extends BackendException {
  private static final long serialVersionUID = 1L;

  public CudaException(String message) {
    super(message);
  }

  public CudaException(String message, Throwable cause) {
    super(message, cause);
  }
}
