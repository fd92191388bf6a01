package weft.cuda;

/** Memory of the device or for it, which its owner gives back. */
interface Owned extends AutoCloseable {
  @Override
  void close();
}
