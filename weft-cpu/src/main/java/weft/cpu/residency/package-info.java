/** Experts in slots of memory: read from their files when a step wants them, or before. */
@NullMarked
package weft.cpu.residency;

import org.jspecify.annotations.NullMarked;
