package weft.cpu.kernel;

import java.util.function.Consumer;

/**
 * A kernel at some size.
 *
 * @param kernel its name
 * @param size in words
 * @param layout lays what the kernel reads and writes on a bench, and says how it is called
 */
record GuardCase(String kernel, String size, Consumer<GuardBench> layout) {
  @Override
  public String toString() {
    return kernel + " of " + size;
  }
}
