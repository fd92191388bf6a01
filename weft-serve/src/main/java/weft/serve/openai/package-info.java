/** OpenAI's interface. */
@NullMarked
package weft.serve.openai;

import org.jspecify.annotations.NullMarked;
