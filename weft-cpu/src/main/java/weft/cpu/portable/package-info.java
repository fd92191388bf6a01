/**
 * Launches in Java with the Vector API: they run everywhere and define what emitted code must meet.
 */
@NullMarked
package weft.cpu.portable;

import org.jspecify.annotations.NullMarked;
