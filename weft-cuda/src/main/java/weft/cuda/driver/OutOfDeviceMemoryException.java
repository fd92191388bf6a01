package weft.cuda.driver;

/** Memory that a GPU does not have. */
public final class OutOfDeviceMemoryException extends CudaException {
  private static final long serialVersionUID = 1L;

  public OutOfDeviceMemoryException(String device, long bytes, long free) {
    super(
        "%s has no %d bytes left, %d are free; use a shorter --context, smaller keys and values, a smaller model, or --backend cpu"
            .formatted(device, bytes, free));
  }

  /** For a call that says no size. */
  OutOfDeviceMemoryException(String message) {
    super(message);
  }
}
