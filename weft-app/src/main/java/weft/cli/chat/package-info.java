/** The chat in a terminal. */
@NullMarked
package weft.cli.chat;

import org.jspecify.annotations.NullMarked;
