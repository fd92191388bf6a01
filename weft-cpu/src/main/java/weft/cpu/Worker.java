package weft.cpu;

/** One of the threads that run a program together, with memory of its own. */
final class Worker {
  private final int index;
  private final int count;
  private float[] scratch = new float[0];
  private float[] more = new float[0];

  Worker(int index, int count) {
    this.index = index;
    this.count = count;
  }

  int index() {
    return index;
  }

  /** Where this worker's share of {@code units} begins. */
  int from(int units) {
    return (int) ((long) units * index / count);
  }

  int to(int units) {
    return (int) ((long) units * (index + 1) / count);
  }

  /** At least {@code size} floats that stay until the next call. */
  float[] scratch(int size) {
    if (scratch.length < size) scratch = new float[size];
    return scratch;
  }

  /** A second such array. */
  float[] more(int size) {
    if (more.length < size) more = new float[size];
    return more;
  }
}
