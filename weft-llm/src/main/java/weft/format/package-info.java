/**
 * Checkpoints: GGUF and safetensors as mapped tensors under one naming.
 *
 * <p>Records, enums and exceptions here are values, safe for all threads.
 */
@NullMarked
package weft.format;

import org.jspecify.annotations.NullMarked;
