/** What every dialect needs of HTTP: routes, bodies within bounds, streams of events. */
@NullMarked
package weft.serve.web;

import org.jspecify.annotations.NullMarked;
