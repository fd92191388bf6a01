/** Keys and values stored and attended to, heads turned. */
@NullMarked
package weft.cpu.kernel.attention;

import org.jspecify.annotations.NullMarked;
