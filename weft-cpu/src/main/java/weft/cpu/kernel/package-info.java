/**
 * The kernels that are emitted as machine code, one idea a file, and the library that holds them.
 */
@NullMarked
package weft.cpu.kernel;

import org.jspecify.annotations.NullMarked;
