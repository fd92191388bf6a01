package weft.constrain.schema;

import weft.constrain.ConstrainException;

/**
 * What cannot be kept, said where its place in the schema is not known; whoever knows it adds it.
 */
final class Unplaced extends RuntimeException {
  Unplaced(String message) {
    super(message);
  }

  ConstrainException at(Term term) {
    return new ConstrainException(
        term.place().map(place -> place.pointer() + ": " + getMessage()).orElse(getMessage()));
  }
}
