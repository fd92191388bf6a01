/** Speed-ups by guessing ahead, where it is known how many guesses come true. */
@NullMarked
package weft.bench.speculation;

import org.jspecify.annotations.NullMarked;
