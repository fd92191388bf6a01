/** The command line. */
module weft.app {
  requires java.logging;
  requires weft;
  requires weft.serve;
  requires info.picocli;
  requires tools.jackson.databind;
  requires tools.jackson.dataformat.toml;
  requires org.jline;
  requires static org.jspecify;

  exports weft.cli to
      weft.bench;
  exports weft.cli.synth to
      weft.bench;

  opens weft.cli to
      info.picocli;
}
