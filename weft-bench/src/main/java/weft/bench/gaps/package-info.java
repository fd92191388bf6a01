/** What those who follow a reply notice of others. */
@NullMarked
package weft.bench.gaps;

import org.jspecify.annotations.NullMarked;
