/** Benchmarks; never a dependency. */
module weft.bench {
  requires weft.core;
  requires static org.jspecify;
}
