/**
 * The regular expressions of tokenizer files: Oniguruma's dialect, matched in linear time and
 * bounded memory.
 */
@NullMarked
package weft.text.regex;

import org.jspecify.annotations.NullMarked;
