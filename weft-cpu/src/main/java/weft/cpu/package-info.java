/** The CPU backend. */
@NullMarked
package weft.cpu;

import org.jspecify.annotations.NullMarked;
