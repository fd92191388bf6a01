/** What has no dialect: health, metrics, tokens of texts, what there is. */
@NullMarked
package weft.serve.plain;

import org.jspecify.annotations.NullMarked;
