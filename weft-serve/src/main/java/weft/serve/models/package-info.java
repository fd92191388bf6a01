/** The models that a server has, loaded when somebody asks for them. */
@NullMarked
package weft.serve.models;

import org.jspecify.annotations.NullMarked;
