package weft.text.tokenizer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import weft.text.TextException;

/** Builds tokenizers from tokenizer.json files. */
final class TokenizerJson {
  private static final String NAME = "tokenizer.json";

  /** What a token and its merges take in a large file, about. */
  private static final int BYTES_PER_TOKEN = 64;

  private static final String CONFIG_NAME = "tokenizer_config.json";

  /**
   * Classes of the Transformers library that add the tokens their configuration asks for by
   * themselves.
   */
  private static final Set<String> CONFIGURED_CLASSES =
      Set.of(
          "LlamaTokenizer",
          "LlamaTokenizerFast",
          "CodeLlamaTokenizer",
          "CodeLlamaTokenizerFast",
          "GemmaTokenizer",
          "GemmaTokenizerFast");

  private TokenizerJson() {}

  static Tokenizer read(Path file) {
    Path config = file.resolveSibling(CONFIG_NAME);
    byte[] json = JsonDocument.bytes(file);
    return Files.exists(config)
        ? read(json, JsonDocument.tree(JsonDocument.bytes(config), CONFIG_NAME))
        : read(json, JsonNodeFactory.instance.objectNode());
  }

  static Tokenizer read(byte[] json, JsonNode config) {
    var members = new HashMap<String, JsonNode>();
    Optional<ModelJson> model;
    try {
      model = parse(json, members);
    } catch (JacksonException e) {
      throw JsonDocument.malformed(NAME, e);
    }
    return build(
        model.orElseThrow(() -> new TextException(NAME + " has no model")),
        members,
        new JsonPart(CONFIG_NAME, config));
  }

  private static Optional<ModelJson> parse(byte[] json, Map<String, JsonNode> members) {
    Optional<ModelJson> model = Optional.empty();
    try (var parser = JsonDocument.parser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new TextException(NAME + " starts with no object");
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        switch (name) {
          case "model" ->
              model = Optional.of(ModelJson.read(parser, json.length / BYTES_PER_TOKEN));
          case "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder" ->
              members.put(name, JsonDocument.MAPPER.readTree(parser));
          default -> parser.skipChildren(); // truncation and padding are the caller's business
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        throw new TextException(NAME + " does not end where its object does");
      }
    }
    return model;
  }

  private static Tokenizer build(ModelJson model, Map<String, JsonNode> members, JsonPart config) {
    var tree = JsonNodeFactory.instance.objectNode();
    members.forEach(tree::set);
    var root = new JsonPart(NAME, tree);
    Vocabulary vocabulary = model.vocabulary();
    List<AddedToken> added = addedTokens(root, vocabulary);
    String unknown = model.unknownToken();
    return new Tokenizer(
        new Tokenizer.Parts(
            vocabulary,
            model.build(),
            added,
            NormalizerJson.read(root.part("normalizer")),
            PreTokenizerJson.read(root.part("pre_tokenizer")),
            DecoderJson.read(root.part("decoder")),
            affixes(
                PostProcessorJson.read(root.part("post_processor"), vocabulary),
                config,
                vocabulary),
            new NamedTokens(
                named(config, "bos_token", vocabulary),
                named(config, "eos_token", vocabulary),
                unknown.isEmpty()
                    ? named(config, "unk_token", vocabulary)
                    : find(vocabulary, unknown),
                named(config, "pad_token", vocabulary))));
  }

  /**
   * Reads the added tokens into the vocabulary. A token the model has keeps its id, others follow
   * on.
   */
  private static List<AddedToken> addedTokens(JsonPart root, Vocabulary vocabulary) {
    var tokens = new ArrayList<AddedToken>();
    int modelTokens = vocabulary.count();
    int highest = -1;
    for (JsonPart part : root.parts("added_tokens")) {
      String content = part.string("content");
      if (content.isEmpty()) {
        continue;
      }
      int id = vocabulary.find(content);
      if (id < 0) {
        id = highest >= modelTokens ? highest + 1 : modelTokens;
        vocabulary.put(content, id);
      }
      highest = Math.max(highest, id);
      boolean special = part.flag("special", false);
      var token =
          new AddedToken(
              id,
              content,
              part.flag("single_word", false),
              part.flag("lstrip", false),
              part.flag("rstrip", false),
              part.flag("normalized", !special),
              special);
      vocabulary.mark(token);
      tokens.add(token);
    }
    return tokens;
  }

  private static Affixes affixes(Affixes own, JsonPart config, Vocabulary vocabulary) {
    if (!own.isEmpty()
        || !CONFIGURED_CLASSES.contains(config.optionalString("tokenizer_class").orElse(""))) {
      return own;
    }
    return new Affixes(
        config.flag("add_bos_token", false)
            ? named(config, "bos_token", vocabulary).stream().toArray()
            : own.before(),
        config.flag("add_eos_token", false)
            ? named(config, "eos_token", vocabulary).stream().toArray()
            : own.after());
  }

  /**
   * The id of a token that the configuration names, as a string or as an object with its content.
   */
  private static OptionalInt named(JsonPart config, String role, Vocabulary vocabulary) {
    JsonNode token = config.node().path(role);
    String content = token.isObject() ? token.path("content").asString("") : token.asString("");
    return find(vocabulary, content);
  }

  private static OptionalInt find(Vocabulary vocabulary, String token) {
    int id = vocabulary.find(token);
    return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
  }
}
