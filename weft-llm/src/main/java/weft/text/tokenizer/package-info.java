/**
 * Tokenizers: text to ids and back, built from tokenizer.json or from what GGUF metadata carries.
 *
 * <p>Records, enums and exceptions here are values, safe for all threads.
 */
@NullMarked
package weft.text.tokenizer;

import org.jspecify.annotations.NullMarked;
