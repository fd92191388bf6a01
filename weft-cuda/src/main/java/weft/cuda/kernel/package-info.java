/** The kernels that are no products: text of PTX, made for the sizes of a model. */
@NullMarked
package weft.cuda.kernel;

import org.jspecify.annotations.NullMarked;
