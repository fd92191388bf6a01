/** Benchmarks. */
@NullMarked
package weft.bench;

import org.jspecify.annotations.NullMarked;
