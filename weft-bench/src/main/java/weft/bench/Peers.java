package weft.bench;

/** Runs Weft and its peers interleaved and prints the ratios. */
final class Peers {
  private Peers() {}
}
