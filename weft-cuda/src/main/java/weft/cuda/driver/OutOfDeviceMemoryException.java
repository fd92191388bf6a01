package weft.cuda.driver;

/** Memory that a GPU does not have. */
public final class OutOfDeviceMemoryException extends CudaException {
  private static final long serialVersionUID = 1L;

  private final long bytes;

  public OutOfDeviceMemoryException(String device, long bytes, long free) {
    super(
        "%s has no %d bytes left, %d are free; use a shorter --context, smaller keys and values, a smaller model, or --backend cpu"
            .formatted(device, bytes, free));
    this.bytes = bytes;
  }

  /** The bytes that were asked for. */
  public long bytes() {
    return bytes;
  }
}
