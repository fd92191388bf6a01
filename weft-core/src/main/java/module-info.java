/** The IR, the compiler's passes, the block formats and the reference backend. */
module weft.core {
  requires static org.jspecify;

  exports weft.ir;
  exports weft.quant;
  exports weft.lir;
  exports weft.compile to
      weft.llm,
      weft.conformance,
      weft.bench;
  exports weft.backend;
  exports weft.experts;
  exports weft.mesh to
      weft.llm;

  provides weft.backend.Backend with
      weft.backend.ReferenceBackend;
}
