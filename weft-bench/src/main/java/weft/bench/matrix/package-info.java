/**
 * Every team size, length and batch on slices of real models: all must give the same, as far as
 * docs/architecture.md says.
 */
@NullMarked
package weft.bench.matrix;

import org.jspecify.annotations.NullMarked;
