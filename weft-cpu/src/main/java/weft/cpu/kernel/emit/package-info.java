/** What all emitted kernels are written with: registers, places, sweeps, common formulas. */
@NullMarked
package weft.cpu.kernel.emit;

import org.jspecify.annotations.NullMarked;
