/**
 * The conformance kit: every op, on odd sizes, in every encoding, on any backend, compared with the
 * reference interpreter of the op's expansion. Other modules use it from this module's test jar.
 */
@NullMarked
package weft.conformance;

import org.jspecify.annotations.NullMarked;
