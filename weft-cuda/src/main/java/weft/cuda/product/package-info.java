/**
 * Products of weights as they are packed with rows of activations, and the layout in which the
 * device keeps packed rows.
 */
@NullMarked
package weft.cuda.product;

import org.jspecify.annotations.NullMarked;
