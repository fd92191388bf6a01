/** Programs that use the library, each to be read in a minute. */
module weft.examples {
  requires weft;
  requires jdk.httpserver;
}
