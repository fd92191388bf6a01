package weft.cpu;

/** The CPU backend. */
final class CpuBackend {
  private CpuBackend() {}
}
