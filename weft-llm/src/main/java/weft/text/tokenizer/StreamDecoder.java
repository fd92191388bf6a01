package weft.text.tokenizer;

/**
 * Decodes ids as they come: what it returns is whole characters, and all parts together are what
 * {@link Tokenizer#decode} gives for all ids. For one thread at a time.
 */
public final class StreamDecoder {
  private final Vocabulary vocabulary;
  private final SpecialTokens special;
  private final StringBuilder text = new StringBuilder();
  private final Decoder.Stage stage;

  StreamDecoder(Vocabulary vocabulary, Decoder decoder, SpecialTokens special) {
    this.vocabulary = vocabulary;
    this.special = special;
    this.stage = decoder.open(new DecoderStages.Collected(text));
  }

  /**
   * Takes an id and returns the text that is complete with it, which may be empty. Ids without a
   * token give nothing.
   */
  public String next(int id) {
    accept(id);
    return take();
  }

  /** Ends the text and returns what was held back; the decoder is then ready for another text. */
  public String end() {
    stage.finish();
    return take();
  }

  void accept(int id) {
    if (vocabulary.contains(id) && (special == SpecialTokens.SHOWN || !vocabulary.isSpecial(id))) {
      stage.accept(vocabulary.token(id));
    }
  }

  private String take() {
    String taken = text.toString();
    text.setLength(0);
    return taken;
  }
}
