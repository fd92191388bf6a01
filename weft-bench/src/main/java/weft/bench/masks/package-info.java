/** Masks of real schemas: how long they take, and whether they are right. */
@NullMarked
package weft.bench.masks;

import org.jspecify.annotations.NullMarked;
