package weft.bench;

/** One thing that is measured: prompt, generated, depth and sequences at once. */
record PeerTask(String name, int prompt, int gen, int depth, int batch) {
  /** Whether the weights' way from memory is all that bounds it. */
  boolean streams() {
    return gen > 0 && batch == 1 && depth == 0;
  }
}
