/** Benchmarks; never a dependency. */
module weft.bench {
  requires java.management;
  requires weft.core;
  requires weft.cpu;
  requires static org.jspecify;
}
