/**
 * Sessions, turns and the one generation loop, over any {@link weft.generate.Model}.
 *
 * <p>{@link weft.generate.Engine} makes many replies at once, for any number of threads. {@link
 * weft.generate.Sequence} drives a model by hand: prefill, step, commit.
 *
 * <p>Records, enums and exceptions here are values, safe for all threads.
 */
@NullMarked
package weft.generate;

import org.jspecify.annotations.NullMarked;
