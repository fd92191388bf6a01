package weft.backend;

/**
 * Where a device's kernels find the pages of one slot of one sequence: positions {@code 64 * index}
 * to {@code 64 * index + 63} lie in the page at {@code index}. Small beside what it points to, and
 * not counted with it.
 */
public interface PageTable extends AutoCloseable {
  /** The page at this index is this one from now on. */
  void put(int index, Block page);

  /** There is no page at this index any more; kernels will not ask for it. */
  void remove(int index);

  @Override
  void close();
}
