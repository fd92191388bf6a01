package weft.text.tokenizer;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.JsonNodeFactory;
import weft.text.TextException;
import weft.text.regex.Effort;

/**
 * Text to token ids and back, exactly as the model was trained: immutable, and safe for all
 * threads.
 *
 * <pre>{@code
 * var tokenizer = Tokenizer.fromJson(Path.of("tokenizer.json"));
 * int[] ids = tokenizer.encode("Hello", Surround.ADDED, SpecialText.ESCAPED);
 * String text = tokenizer.decode(ids, SpecialTokens.SKIPPED);
 * }</pre>
 */
public final class Tokenizer {
  private final Vocabulary vocabulary;
  private final Model model;
  private final Normalizer normalizer;
  private final PreTokenizer preTokenizer;
  private final Decoder decoder;
  private final Affixes affixes;
  private final NamedTokens named;
  private final AddedTokens literalTokens;
  private final AddedTokens normalizedTokens;

  /** What a tokenizer is made of. */
  record Parts(
      Vocabulary vocabulary,
      Model model,
      List<AddedToken> added,
      Normalizer normalizer,
      PreTokenizer preTokenizer,
      Decoder decoder,
      Affixes affixes,
      NamedTokens named) {}

  Tokenizer(Parts parts) {
    this.vocabulary = parts.vocabulary;
    this.model = parts.model;
    this.normalizer = parts.normalizer;
    this.preTokenizer = parts.preTokenizer;
    this.decoder = parts.decoder;
    this.affixes = parts.affixes;
    this.named = parts.named;
    var literal = new ArrayList<AddedToken>();
    var normalized = new ArrayList<AddedToken>();
    for (AddedToken token : parts.added) {
      (token.normalized() ? normalized : literal).add(token);
    }
    this.literalTokens = new AddedTokens(literal, content -> content);
    this.normalizedTokens = new AddedTokens(normalized, spelling(normalizer));
  }

  private static UnaryOperator<String> spelling(Normalizer normalizer) {
    var effort = Effort.on(0);
    return content -> {
      effort.extend(content.length());
      return normalizer.normalize(content, effort);
    };
  }

  /**
   * Reads a tokenizer.json, and the tokenizer_config.json beside it where there is one.
   *
   * @throws TextException where a file cannot be read or is no tokenizer that weft knows
   */
  public static Tokenizer fromJson(Path tokenizerJson) {
    return TokenizerJson.read(tokenizerJson);
  }

  /** Reads the bytes of a tokenizer.json that stands alone. */
  public static Tokenizer fromJson(byte[] tokenizerJson) {
    return TokenizerJson.read(tokenizerJson, JsonNodeFactory.instance.objectNode());
  }

  /** Builds the tokenizer that a GGUF file's metadata describes. */
  public static Tokenizer of(GgufVocabulary vocabulary) {
    return GgufTokenizer.of(vocabulary);
  }

  /** The ids of a text. Half a surrogate pair, which is no text, counts as U+FFFD. */
  public int[] encode(String text, Surround surround, SpecialText special) {
    return switch (special) {
      case PARSED -> encode(text, surround, (start, end) -> true);
      case ESCAPED -> encode(text, surround, (start, end) -> false);
    };
  }

  /**
   * The ids of a text of which parts are not to be trusted: a prompt that a chat template wrote,
   * with what users wrote in it. A control token counts only where it does not touch such a part.
   *
   * @param escaped the parts that may not contain control tokens
   */
  public int[] encode(String text, Surround surround, List<Span> escaped) {
    var parts = new Spans(escaped);
    return encode(text, surround, (start, end) -> !parts.meet(start, end));
  }

  private int[] encode(String text, Surround surround, AddedTokens.Guard guard) {
    var ids = new IntList();
    if (surround == Surround.ADDED) {
      ids.addAll(affixes.before());
    }
    new Encoding(wellFormed(text), guard, ids).run();
    if (surround == Surround.ADDED) {
      ids.addAll(affixes.after());
    }
    return ids.toArray();
  }

  /** The text of ids. Ids without a token give nothing; bytes that are no UTF-8 become U+FFFD. */
  public String decode(int[] ids, SpecialTokens special) {
    var stream = decodeStream(special);
    for (int id : ids) {
      stream.accept(id);
    }
    return stream.end();
  }

  /** A decoder for ids that come one by one. */
  public StreamDecoder decodeStream(SpecialTokens special) {
    return new StreamDecoder(vocabulary, decoder, special);
  }

  /** One more than the highest id. */
  public int vocabularySize() {
    return vocabulary.size();
  }

  /**
   * Whether an id has a token: vocabularies may have gaps, and models may have more rows than
   * tokens.
   */
  public boolean has(int id) {
    return vocabulary.contains(id);
  }

  /** A token as the vocabulary spells it, byte alphabet and space marks included. */
  public String token(int id) {
    if (!vocabulary.contains(id)) {
      throw new TextException(
          "there is no token " + id + "; the vocabulary has ids below " + vocabulary.size());
    }
    return vocabulary.token(id);
  }

  /** The bytes that a token stands for inside a text; they need not be whole characters. */
  public byte[] bytes(int id) {
    String token = token(id);
    if (vocabulary.isSpecial(id)) {
      return token.getBytes(StandardCharsets.UTF_8);
    }
    return TokenBytes.of(token, decoder);
  }

  /** The id of a token as the vocabulary spells it. */
  public OptionalInt idOf(String token) {
    int id = vocabulary.find(token);
    return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
  }

  /** Whether an id is a control token. */
  public boolean isSpecial(int id) {
    return vocabulary.isSpecial(id);
  }

  /** The beginning-of-text token. */
  public OptionalInt bos() {
    return named.bos();
  }

  /** The end-of-text token. */
  public OptionalInt eos() {
    return named.eos();
  }

  /** The token for what the vocabulary lacks. */
  public OptionalInt unknown() {
    return named.unknown();
  }

  /** The token that fills short rows of a batch. */
  public OptionalInt padding() {
    return named.padding();
  }

  private static String wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        var whole = new StringBuilder(text.length());
        text.codePoints().forEach(c -> whole.appendCodePoint(isHalf(c) ? 0xFFFD : c));
        return whole.toString();
      }
    }
    return text;
  }

  private static boolean isHalf(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  /** The encoding of one text: added tokens, then normalized added tokens, then the model. */
  private final class Encoding implements AddedTokens.Sink {
    private final String text;
    private final AddedTokens.Guard guard;
    private final IntList ids;
    private final Effort effort;

    Encoding(String text, AddedTokens.Guard guard, IntList ids) {
      this.text = text;
      this.guard = guard;
      this.ids = ids;
      this.effort = Effort.on(text.length());
    }

    void run() {
      literalTokens.split(text, guard, this);
    }

    @Override
    public void token(int id) {
      ids.add(id);
    }

    @Override
    public void text(int start, int end) {
      String section = normalizer.normalize(text.substring(start, end), effort);
      boolean trusted = guard.allows(start, end); // places inside are lost with normalization
      normalizedTokens.split(
          section, (from, to) -> trusted, new Section(section, start == 0, ids, effort));
    }
  }

  /** The parts of a normalized section of a text. */
  private final class Section implements AddedTokens.Sink {
    private final String section;
    private final boolean leading;
    private final IntList ids;
    private final Effort effort;

    Section(String section, boolean leading, IntList ids, Effort effort) {
      this.section = section;
      this.leading = leading;
      this.ids = ids;
      this.effort = effort;
    }

    @Override
    public void token(int id) {
      ids.add(id);
    }

    @Override
    public void text(int start, int end) {
      var pieces =
          preTokenizer.apply(
              Pieces.of(section.substring(start, end), leading && start == 0), effort);
      for (int i = 0; i < pieces.count(); i++) {
        model.encode(pieces.text(), pieces.start(i), pieces.end(i), ids);
      }
    }
  }
}
