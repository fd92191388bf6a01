/**
 * The composing room: checkpoint, family, pipeline and backend become a model.
 *
 * <p>Records, enums and exceptions here are values, safe for all threads.
 */
@NullMarked
package weft.load;

import org.jspecify.annotations.NullMarked;
