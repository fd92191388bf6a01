/** Experts in a budget, beside a mapped file that has as much memory, and beside an oracle. */
@NullMarked
package weft.bench.experts;

import org.jspecify.annotations.NullMarked;
