/** The writer of PTX: typed registers, a method an instruction, structured control, a listing. */
@NullMarked
package weft.cuda.ptx;

import org.jspecify.annotations.NullMarked;
