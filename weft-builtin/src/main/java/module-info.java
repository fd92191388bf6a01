/** Weft Tiny, the model that answers when none is given. */
module weft.builtin {
  requires weft.llm;
  requires static org.jspecify;

  provides weft.load.BuiltIn.Source with
      weft.builtin.WeftTiny;
}
