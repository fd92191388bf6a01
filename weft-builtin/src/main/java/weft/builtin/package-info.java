/** The model that comes with Weft. */
@NullMarked
package weft.builtin;

import org.jspecify.annotations.NullMarked;
