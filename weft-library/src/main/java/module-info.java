/**
 * What a program that runs language models requires: the library and its backends. Begin with
 * {@code weft.load.LanguageModel}.
 */
module weft {
  requires transitive weft.llm;
  requires weft.cpu;
  requires weft.cuda;
}
