/** What a launch is once it is bound to memory, and the stages that a step runs through. */
@NullMarked
package weft.cpu.launch;

import org.jspecify.annotations.NullMarked;
