/** A GPU as its driver offers it, and the one place that calls the driver's library. */
@NullMarked
package weft.cuda.driver;

import org.jspecify.annotations.NullMarked;
