/** What a model says: a graph of sealed ops with typed, possibly symbolic, shapes. */
@NullMarked
package weft.ir;

import org.jspecify.annotations.NullMarked;
