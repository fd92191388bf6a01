/** Sets of Unicode's characters, by their properties. All of it is safe for all threads. */
@NullMarked
package weft.unicode;

import org.jspecify.annotations.NullMarked;
