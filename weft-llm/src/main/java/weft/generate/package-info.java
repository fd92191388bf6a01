/**
 * Sessions, turns and the one generation loop, over any {@link weft.generate.Model}.
 *
 * <p>{@link weft.generate.Engine} makes many replies at once, for any number of threads. {@link
 * weft.generate.Sequence} drives a model by hand: prefill, step, commit.
 *
 * <p>Of the words: a {@code Session} is a text's place in a model, which keeps its state; a {@code
 * Sequence} is a session and the tokens that it was fed; a {@code Turn} is a reply in the making on
 * a sequence, and a {@code Piece} is one token of it with its text.
 *
 * <p>Records, enums and exceptions here are values, safe for all threads.
 */
@NullMarked
package weft.generate;

import org.jspecify.annotations.NullMarked;
