/** What has no dialect: health, metrics, what there is. */
@NullMarked
package weft.serve.plain;

import org.jspecify.annotations.NullMarked;
