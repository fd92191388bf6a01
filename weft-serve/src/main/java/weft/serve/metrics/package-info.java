/** What operators scrape. */
@NullMarked
package weft.serve.metrics;

import org.jspecify.annotations.NullMarked;
