/** Checkpoints: GGUF and safetensors as mapped tensors under one naming. */
@NullMarked
package weft.format;

import org.jspecify.annotations.NullMarked;
