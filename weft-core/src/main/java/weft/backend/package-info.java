/** What a device must offer, and the reference interpreter, which is the first backend. */
@NullMarked
package weft.backend;

import org.jspecify.annotations.NullMarked;
