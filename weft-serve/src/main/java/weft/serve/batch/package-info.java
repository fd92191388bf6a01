/** Requests from a file, answered as the server would, to another file. */
@NullMarked
package weft.serve.batch;

import org.jspecify.annotations.NullMarked;
