/**
 * What every backend must pass: each op against the reference, and the promises of a device; for
 * tests alone.
 */
module weft.conformance {
  requires transitive weft.core;
  requires static org.jspecify;

  exports weft.conformance;

  provides weft.backend.Backend with
      weft.conformance.foreign.ForeignBackend;
}
