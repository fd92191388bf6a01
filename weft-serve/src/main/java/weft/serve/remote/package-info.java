/** Images that clients name, fetched from public addresses alone. */
@NullMarked
package weft.serve.remote;

import org.jspecify.annotations.NullMarked;
