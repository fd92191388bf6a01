/** The server: models behind the interfaces that clients already speak. */
module weft.serve {
  requires transitive weft.llm;
  requires tools.jackson.databind;
  requires io.helidon.webserver;
  requires micrometer.core;
  requires micrometer.registry.prometheus;
  requires static org.jspecify;

  exports weft.serve;
  exports weft.serve.batch;
  exports weft.serve.models;
}
