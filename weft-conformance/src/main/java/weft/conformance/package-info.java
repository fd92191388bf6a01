/**
 * The conformance kit: every op on odd sizes and every encoding at the widths of real models, on
 * any backend, compared with the reference interpreter of the op's expansion; and what a device
 * promises beside numbers: state, preparation, candidates, refusals. A backend's tests depend on
 * this module; nothing that ships does.
 */
@NullMarked
package weft.conformance;

import org.jspecify.annotations.NullMarked;
