/**
 * Programs: buffers and an ordered list of launches, plain data below the passes and above the
 * devices.
 */
@NullMarked
package weft.lir;

import org.jspecify.annotations.NullMarked;
