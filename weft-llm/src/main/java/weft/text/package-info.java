/** Tokenizers and chat templates. */
@NullMarked
package weft.text;

import org.jspecify.annotations.NullMarked;
