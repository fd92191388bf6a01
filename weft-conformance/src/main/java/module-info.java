/** What every backend must pass: each op on odd sizes against the reference. */
module weft.conformance {
  requires transitive weft.core;
  requires static org.jspecify;

  exports weft.conformance;
}
