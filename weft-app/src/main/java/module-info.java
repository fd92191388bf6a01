/** The command line. */
module weft.app {
  requires weft.llm;
  requires info.picocli;
  requires tools.jackson.databind;
  requires tools.jackson.dataformat.toml;
  requires org.jline;
  requires static org.jspecify;

  opens weft.cli to
      info.picocli;
}
