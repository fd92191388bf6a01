/**
 * Sessions, turns and the one generation loop, over any {@link weft.generate.Model}.
 *
 * <p>{@link weft.generate.Generator} makes one reply at a time on the caller's thread, {@link
 * weft.generate.Engine} many at once on its own; both step the same turns, so a {@link
 * weft.generate.Request} gives the same {@link weft.generate.Reply} through either. {@link
 * weft.generate.Sequence} drives a model by hand: prefill, step, commit.
 */
@NullMarked
package weft.generate;

import org.jspecify.annotations.NullMarked;
