/**
 * Launches in Java with the Vector API: they run on every processor, where the JVM has the vector
 * module, and stand in for what has no emitted form.
 */
@NullMarked
package weft.cpu.portable;

import org.jspecify.annotations.NullMarked;
