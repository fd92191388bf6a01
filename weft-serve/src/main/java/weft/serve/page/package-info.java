/**
 * The page for people: files that come with the server, and how a browser is told to treat them.
 */
@NullMarked
package weft.serve.page;

import org.jspecify.annotations.NullMarked;
