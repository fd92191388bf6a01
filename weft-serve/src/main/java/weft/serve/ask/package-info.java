/** What clients ask and what they are answered, whatever dialect they speak. */
@NullMarked
package weft.serve.ask;

import org.jspecify.annotations.NullMarked;
