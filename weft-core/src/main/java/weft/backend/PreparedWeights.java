package weft.backend;

/**
 * A checkpoint's tensors as one device has them. Each is checked, and copied to where the device
 * reads it, the first time that a program names it, and never again: however many programs are
 * loaded over them, they exist once. Who prepared them closes them, after the programs.
 */
public interface PreparedWeights extends AutoCloseable {
  @Override
  void close();
}
