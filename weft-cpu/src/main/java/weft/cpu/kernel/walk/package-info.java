/** The emitted loop that workers stay in, the lists it goes through, and where workers meet. */
@NullMarked
package weft.cpu.kernel.walk;

import org.jspecify.annotations.NullMarked;
