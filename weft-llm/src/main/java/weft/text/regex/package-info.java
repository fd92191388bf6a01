/**
 * The regular expressions of tokenizer files: Oniguruma's dialect, matched by backtracking within a
 * number of steps that grows with the text, and bounded memory.
 */
@NullMarked
package weft.text.regex;

import org.jspecify.annotations.NullMarked;
