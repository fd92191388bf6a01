/** The library of kernels that are emitted as machine code; each idea is a room below. */
@NullMarked
package weft.cpu.kernel;

import org.jspecify.annotations.NullMarked;
