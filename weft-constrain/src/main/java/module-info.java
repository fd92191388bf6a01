/** Grammars, and which tokens of a vocabulary may go on a text of one. */
module weft.constrain {
  requires transitive tools.jackson.databind;
  requires static org.jspecify;

  exports weft.constrain;
  exports weft.constrain.schema;
  exports weft.unicode;
}
