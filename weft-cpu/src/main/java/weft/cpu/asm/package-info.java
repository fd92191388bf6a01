/** An x86-64 encoder and the executable memory that its code runs in. */
@NullMarked
package weft.cpu.asm;

import org.jspecify.annotations.NullMarked;
