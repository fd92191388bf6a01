/** Ollama's interface. */
@NullMarked
package weft.serve.ollama;

import org.jspecify.annotations.NullMarked;
