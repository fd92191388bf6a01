/** How each block format is taken apart in registers. */
@NullMarked
package weft.cpu.kernel.format;

import org.jspecify.annotations.NullMarked;
