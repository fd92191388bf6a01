/** Block formats: one file an encoding, with its size, GGUF id and scalar decode and encode. */
@NullMarked
package weft.quant;

import org.jspecify.annotations.NullMarked;
