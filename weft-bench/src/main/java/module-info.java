/** Benchmarks, fuzzers and the matrix; never a dependency. */
module weft.bench {
  requires java.desktop; // pictures to damage
  requires java.management;
  requires java.net.http;
  requires jdk.management;
  requires weft.core;
  requires weft.cpu;
  requires weft.llm;
  requires weft.app;
  requires tools.jackson.databind;
  requires static org.jspecify;
}
