/** Servers under the same load, in turns. */
@NullMarked
package weft.bench.serve;

import org.jspecify.annotations.NullMarked;
