/** Which experts of a mixture stay in memory, from what routers chose. */
@NullMarked
package weft.experts;

import org.jspecify.annotations.NullMarked;
