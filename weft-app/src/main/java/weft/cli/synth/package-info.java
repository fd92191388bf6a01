/** Random checkpoints with the shapes of real ones. */
@NullMarked
package weft.cli.synth;

import org.jspecify.annotations.NullMarked;
