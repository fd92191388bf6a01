/**
 * Block formats: one file an encoding, with its size, GGUF id, scalar decode and, but for IQ3_S,
 * encode.
 */
@NullMarked
package weft.quant;

import org.jspecify.annotations.NullMarked;
