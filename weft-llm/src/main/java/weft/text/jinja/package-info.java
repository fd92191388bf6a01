/**
 * An interpreter of the Jinja2 language as chat templates use it, safe to run on untrusted source.
 */
@NullMarked
package weft.text.jinja;

import org.jspecify.annotations.NullMarked;
