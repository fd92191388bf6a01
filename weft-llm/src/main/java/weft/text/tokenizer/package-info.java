/**
 * Tokenizers: text to ids and back, built from tokenizer.json or from what GGUF metadata carries.
 */
@NullMarked
package weft.text.tokenizer;

import org.jspecify.annotations.NullMarked;
