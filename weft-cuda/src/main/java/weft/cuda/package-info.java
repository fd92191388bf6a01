/** The backend for NVIDIA's GPUs. */
@NullMarked
package weft.cuda;

import org.jspecify.annotations.NullMarked;
