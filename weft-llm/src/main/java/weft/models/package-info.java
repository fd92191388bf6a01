/** Model families, one file each. */
@NullMarked
package weft.models;

import org.jspecify.annotations.NullMarked;
