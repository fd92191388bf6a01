/** Packed rows times activations: one row, a few, many. */
@NullMarked
package weft.cpu.kernel.product;

import org.jspecify.annotations.NullMarked;
