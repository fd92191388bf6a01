/** Inputs that are small by their nature, read within bounds. */
@NullMarked
package weft.input;

import org.jspecify.annotations.NullMarked;
