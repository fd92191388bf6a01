/** The vocabulary that model families are written in. */
@NullMarked
package weft.net;

import org.jspecify.annotations.NullMarked;
