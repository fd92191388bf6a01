/** From a graph to a program: passes, legalization, schedule and buffer plan. */
@NullMarked
package weft.compile;

import org.jspecify.annotations.NullMarked;
