/**
 * A device that is as little the host as a test can make it: its memory is its own, everything goes
 * in and out as copies, and what it is told to do it does in order, on its own thread, later.
 */
@NullMarked
package weft.conformance.foreign;

import org.jspecify.annotations.NullMarked;
