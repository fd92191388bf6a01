/**
 * Tokenizers and chat templates.
 *
 * <p>Records, enums and exceptions here are values, safe for all threads.
 */
@NullMarked
package weft.text;

import org.jspecify.annotations.NullMarked;
