/**
 * Fuzzers of everything that reads a file: an engine of few parts, and a target for each parser.
 */
@NullMarked
package weft.bench.fuzz;

import org.jspecify.annotations.NullMarked;
