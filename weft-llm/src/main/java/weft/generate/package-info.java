/** Sessions, turns and the one generation loop. */
@NullMarked
package weft.generate;

import org.jspecify.annotations.NullMarked;
