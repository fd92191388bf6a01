/** Routing rows to experts, their products, and the sum of what they give. */
@NullMarked
package weft.cpu.kernel.experts;

import org.jspecify.annotations.NullMarked;
