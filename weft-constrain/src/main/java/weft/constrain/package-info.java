/**
 * What a text may be, and which tokens may therefore come next. A {@link weft.constrain.Grammar} is
 * rules over lexemes, each a {@link weft.constrain.Regex}; no model is needed.
 *
 * <p>Records, enums and exceptions are safe for all threads.
 */
@NullMarked
package weft.constrain;

import org.jspecify.annotations.NullMarked;
