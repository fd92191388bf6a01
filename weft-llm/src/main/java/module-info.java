/** Checkpoints, tokenizers, model families and the one generator. */
module weft.llm {
  requires transitive weft.core;
  requires transitive weft.constrain;
  requires transitive weft.image;
  requires tools.jackson.databind;
  requires jdk.unsupported; // direct reads
  requires static org.jspecify;

  exports weft.format;
  exports weft.input to
      weft.serve,
      weft.app;
  exports weft.text;
  exports weft.text.tokenizer;
  exports weft.text.jinja;
  exports weft.text.regex to
      weft.bench;
  exports weft.net;
  exports weft.chat;
  exports weft.generate;
  exports weft.load;

  uses weft.backend.Backend;
  uses weft.load.BuiltIn.Source;
}
