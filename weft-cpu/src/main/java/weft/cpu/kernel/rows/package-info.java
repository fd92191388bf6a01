/** Norms, formulas of elements, embeddings, peaks: each row by itself. */
@NullMarked
package weft.cpu.kernel.rows;

import org.jspecify.annotations.NullMarked;
