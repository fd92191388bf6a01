/** Anthropic's interface. */
@NullMarked
package weft.serve.anthropic;

import org.jspecify.annotations.NullMarked;
