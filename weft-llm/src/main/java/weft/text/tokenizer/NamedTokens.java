package weft.text.tokenizer;

import java.util.OptionalInt;

/** The tokens that have a role. */
record NamedTokens(OptionalInt bos, OptionalInt eos, OptionalInt unknown, OptionalInt padding) {}
