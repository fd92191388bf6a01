/**
 * What a program that runs language models requires: the library and the CPU backend. Begin with
 * {@code weft.load.LanguageModel}.
 */
module weft {
  requires transitive weft.llm;
  requires weft.cpu;
}
