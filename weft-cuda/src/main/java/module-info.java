/** The backend for NVIDIA's GPUs: PTX that Java writes, run by the driver and nothing else. */
module weft.cuda {
  requires weft.core;
  requires static org.jspecify;

  exports weft.cuda.driver to
      weft.bench;

  provides weft.backend.Backend with
      weft.cuda.CudaBackend;
}
