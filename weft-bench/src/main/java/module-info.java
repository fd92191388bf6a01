/** Benchmarks; never a dependency. */
module weft.bench {
  requires weft.core;
  requires weft.cpu;
  requires static org.jspecify;
}
