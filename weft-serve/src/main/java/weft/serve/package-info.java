/**
 * The server: its life, its options, who may come in. Records here are values, safe for all
 * threads.
 */
@NullMarked
package weft.serve;

import org.jspecify.annotations.NullMarked;
