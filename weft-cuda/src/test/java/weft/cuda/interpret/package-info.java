/**
 * An interpreter of the PTX that weft writes, which stands in for a GPU and its driver and finds
 * what a GPU would do silently: accesses out of bounds, misaligned, of unwritten memory, races,
 * divergent barriers, threads that wait for ever.
 */
@NullMarked
package weft.cuda.interpret;

import org.jspecify.annotations.NullMarked;
