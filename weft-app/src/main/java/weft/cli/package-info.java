/** The command line. */
@NullMarked
package weft.cli;

import org.jspecify.annotations.NullMarked;
