/** The threads that do a step together, and how they wait for each other. */
@NullMarked
package weft.cpu.team;

import org.jspecify.annotations.NullMarked;
