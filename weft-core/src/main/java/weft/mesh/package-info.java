/** Several devices that run a model together, as one. */
@NullMarked
package weft.mesh;

import org.jspecify.annotations.NullMarked;
