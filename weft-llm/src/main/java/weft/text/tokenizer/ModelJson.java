package weft.text.tokenizer;

import java.util.Arrays;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import weft.text.TextException;

/**
 * Reads the model of a tokenizer.json from a stream: its vocabulary and merges are too large to
 * build a tree of first.
 */
final class ModelJson {
  private static final int MAX_AFFIX = 256;

  private final JsonParser json;
  private final Vocabulary vocabulary;
  private final MergeList merges = new MergeList();
  private double[] scores = new double[16];
  private int scoreCount;
  private String type = "";
  private String unknown = "";
  private int unknownId = -1;
  private String prefix = "";
  private String suffix = "";
  private boolean fuseUnknown;
  private boolean byteFallback;
  private boolean ignoreMerges;

  private ModelJson(JsonParser json, int tokens) {
    this.json = json;
    this.vocabulary = new Vocabulary(tokens);
  }

  /**
   * Reads the object that the parser stands at.
   *
   * @param tokens about how many tokens to expect
   */
  static ModelJson read(JsonParser json, int tokens) {
    var model = new ModelJson(json, tokens);
    model.expect(JsonToken.START_OBJECT, "model", "an object");
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      model.member(name);
    }
    return model;
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  /** The model, once all special tokens are known to the vocabulary. */
  Model build() {
    var fallback = byteFallback ? BpeModel.Fallback.BYTES : BpeModel.Fallback.UNKNOWN;
    boolean unigram = type.isEmpty() ? scoreCount > 0 : type.equals("Unigram");
    if (unigram) {
      if (unknownId >= scoreCount) {
        throw new TextException(
            "model.unk_id is " + unknownId + ", but the vocabulary has " + scoreCount + " tokens");
      }
      return new UnigramModel(vocabulary, Arrays.copyOf(scores, scoreCount), unknownId, fallback);
    }
    if (!type.isEmpty() && !type.equals("BPE")) {
      throw new TextException(
          "model.type is '" + type + "', which weft does not know; it knows BPE and Unigram");
    }
    var resolver =
        new MergeResolver(vocabulary.index(), prefix, MergeResolver.Missing.REFUSED, merges.size());
    merges.resolve(resolver);
    return new BpeModel(
        vocabulary,
        resolver.triples(),
        new BpeModel.Options(
            unknown,
            fuseUnknown ? BpeModel.Unknowns.FUSED : BpeModel.Unknowns.SEPARATE,
            fallback,
            ignoreMerges ? BpeModel.WholeWords.TAKEN : BpeModel.WholeWords.MERGED,
            prefix,
            suffix));
  }

  /** The text of the unknown token; empty where the model has none. */
  String unknownToken() {
    return unknownId >= 0 && vocabulary.contains(unknownId) ? vocabulary.token(unknownId) : unknown;
  }

  private void member(String name) {
    switch (name) {
      case "type" -> type = string(name);
      case "vocab" -> readVocabulary();
      case "merges" -> readMerges();
      case "unk_token" -> unknown = string(name);
      case "unk_id" -> unknownId = json.currentToken() == JsonToken.VALUE_NULL ? -1 : integer(name);
      case "continuing_subword_prefix" -> prefix = affix(name);
      case "end_of_word_suffix" -> suffix = affix(name);
      case "fuse_unk" -> fuseUnknown = flag(name);
      case "byte_fallback" -> byteFallback = flag(name);
      case "ignore_merges" -> ignoreMerges = flag(name);
      default -> json.skipChildren(); // dropout is for training
    }
  }

  private void readVocabulary() {
    if (json.currentToken() == JsonToken.START_ARRAY) {
      readScores();
      return;
    }
    expect(JsonToken.START_OBJECT, "vocab", "an object or a list");
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String token = json.currentName();
      json.nextToken();
      vocabulary.put(token, integer("vocab"));
    }
  }

  private void readScores() {
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_ARRAY, "vocab", "a list of tokens with scores");
      json.nextToken();
      expect(JsonToken.VALUE_STRING, "vocab", "a token");
      vocabulary.put(json.getString(), scoreCount);
      JsonToken score = json.nextToken();
      if (score == null || !score.isNumeric() || !Double.isFinite(json.getDoubleValue())) {
        throw wrong("vocab", "a score");
      }
      if (scoreCount == scores.length) {
        scores = Arrays.copyOf(scores, 2 * scoreCount);
      }
      scores[scoreCount++] = json.getDoubleValue();
      json.nextToken();
      expect(JsonToken.END_ARRAY, "vocab", "a token and a score");
    }
  }

  private void readMerges() {
    expect(JsonToken.START_ARRAY, "merges", "a list");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() == JsonToken.VALUE_STRING) {
        if (!merges.add(
            json.getStringCharacters(), json.getStringOffset(), json.getStringLength())) {
          throw wrong("merges", "two tokens with one space between");
        }
      } else {
        expect(JsonToken.START_ARRAY, "merges", "pairs of tokens");
        json.nextToken();
        char[] left = string("merges").toCharArray();
        json.nextToken();
        char[] right = string("merges").toCharArray();
        merges.add(left, right);
        json.nextToken();
        expect(JsonToken.END_ARRAY, "merges", "pairs of tokens");
      }
    }
  }

  private String string(String name) {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return "";
    }
    expect(JsonToken.VALUE_STRING, name, "a string");
    return json.getString();
  }

  private String affix(String name) {
    String affix = string(name);
    if (affix.length() > MAX_AFFIX) {
      throw wrong(name, "at most " + MAX_AFFIX + " characters");
    }
    return affix;
  }

  private int integer(String name) {
    expect(JsonToken.VALUE_NUMBER_INT, name, "a whole number");
    return json.getIntValue();
  }

  private boolean flag(String name) {
    JsonToken token = json.currentToken();
    if (token != JsonToken.VALUE_TRUE
        && token != JsonToken.VALUE_FALSE
        && token != JsonToken.VALUE_NULL) {
      throw wrong(name, "true or false");
    }
    return token == JsonToken.VALUE_TRUE;
  }

  private void expect(JsonToken wanted, String name, String expected) {
    if (json.currentToken() != wanted) {
      throw wrong(name, expected);
    }
  }

  private TextException wrong(String name, String expected) {
    return new TextException(
        "model."
            + name
            + " has "
            + json.currentToken()
            + " at "
            + json.currentTokenLocation().offsetDescription()
            + "; expected "
            + expected);
  }
}
