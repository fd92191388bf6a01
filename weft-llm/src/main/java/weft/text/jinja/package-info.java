/**
 * An interpreter of the Jinja2 language as chat templates use it, safe to run on untrusted source.
 *
 * <p>What it has is what templates of models need and Jinja2's documentation calls by name for
 * them: every statement of a template that stands alone (for, if, set, macro, call, filter, with,
 * raw, break, continue, generation), all expressions, the filters and tests that work on text,
 * numbers, sequences and mappings, and the functions that Transformers adds. What lays out pages
 * (wordwrap, truncate, center, batch, slice, groupby, filesizeformat), what is for HTML beyond
 * {@code safe} and {@code escape}, what needs other templates (include, import, extends, block),
 * recursive loops, cycler and joiner are not here: a template that asks for them is told by name.
 */
@NullMarked
package weft.text.jinja;

import org.jspecify.annotations.NullMarked;
