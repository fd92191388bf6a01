/** The composing room: checkpoint, family, pipeline and backend become a model. */
@NullMarked
package weft.load;

import org.jspecify.annotations.NullMarked;
