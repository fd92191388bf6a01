package weft.serve.models;

/**
 * How much may be loaded at once. A value.
 *
 * @param bytes of all models together
 * @param models at the most
 */
public record Room(long bytes, int models) {
  public static final Room UNBOUNDED = new Room(Long.MAX_VALUE, Integer.MAX_VALUE);

  public Room {
    if (bytes < 1) throw new ServeException("models take at least 1 byte, got " + bytes);
    if (models < 1) throw new ServeException("at least 1 model is loaded at once, got " + models);
  }
}
