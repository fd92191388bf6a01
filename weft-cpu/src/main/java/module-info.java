/** The CPU backend: portable vector kernels, and the place of the emitted ones. */
module weft.cpu {
  requires weft.core;
  requires static org.jspecify;

  exports weft.cpu.emitted to
      weft.bench;
  exports weft.cpu.asm to
      weft.bench;
  exports weft.cpu.kernel to
      weft.bench;
  exports weft.cpu.kernel.emit to
      weft.bench;
  exports weft.cpu.kernel.product to
      weft.bench;

  provides weft.backend.Backend with
      weft.cpu.CpuBackend;
}
