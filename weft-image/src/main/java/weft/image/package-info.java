/**
 * Pictures of strangers, read within limits, and the patches that a vision tower takes of them. All
 * of it is safe for all threads.
 */
@NullMarked
package weft.image;

import org.jspecify.annotations.NullMarked;
