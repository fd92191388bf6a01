/**
 * Pictures as VP8 keeps them (RFC 6386), which is what lossy WebP is made of: to the byte what its
 * own library gives. Safe for all threads.
 */
@NullMarked
package weft.image.webp;

import org.jspecify.annotations.NullMarked;
