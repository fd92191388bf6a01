/**
 * JSON Schema as a grammar of JSON texts. A schema is read into terms, a term into the shapes of
 * the values it allows, and the shapes are written as rules; what cannot be kept exactly is refused
 * by its keyword and place.
 *
 * <p>Records, enums and exceptions are safe for all threads.
 */
@NullMarked
package weft.constrain.schema;

import org.jspecify.annotations.NullMarked;
