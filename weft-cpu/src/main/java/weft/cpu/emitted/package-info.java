/**
 * Launches that emitted code runs: Java chooses kernels and writes down what they are to be called
 * with.
 */
@NullMarked
package weft.cpu.emitted;

import org.jspecify.annotations.NullMarked;
