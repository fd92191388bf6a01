/** Kernels with a state of constant size: the short convolution and the delta rule. */
@NullMarked
package weft.cpu.kernel.recurrent;

import org.jspecify.annotations.NullMarked;
