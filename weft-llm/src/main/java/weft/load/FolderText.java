package weft.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import weft.input.SmallInput;
import weft.text.tokenizer.Tokenizer;

/** Tokenizer and template from the files that Transformers keeps beside the weights. */
record FolderText(Path folder, Path tokenizerFile) implements TextSource {
  private static final String CONFIG = "tokenizer_config.json";
  private static final String TEMPLATE = "chat_template.jinja";
  private static final String TEMPLATE_JSON = "chat_template.json";

  /** Of several templates, the one for ordinary chats. */
  private static final String DEFAULT = "default";

  private static final int LONGEST_FILE = 64 << 20;

  static FolderText of(Path folder) {
    return new FolderText(folder, folder.resolve("tokenizer.json"));
  }

  @Override
  public String place() {
    return tokenizerFile.toString();
  }

  @Override
  public Optional<Tokenizer> tokenizer() {
    return Files.exists(tokenizerFile)
        ? Optional.of(Tokenizer.fromJson(tokenizerFile))
        : Optional.empty();
  }

  @Override
  public Optional<String> template() {
    var file = folder.resolve(TEMPLATE);
    if (Files.exists(file)) return Optional.of(text(file));
    return Stream.of(TEMPLATE_JSON, CONFIG)
        .map(name -> template(json(folder.resolve(name)).path("chat_template")))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** A template stands alone, or with others under names. */
  private static Optional<String> template(JsonNode node) {
    if (node.isString()) return Optional.of(node.stringValue());
    return node.valueStream()
        .filter(entry -> entry.path("name").asString("").equals(DEFAULT))
        .map(entry -> entry.path("template").asString(""))
        .findFirst();
  }

  @Override
  public Map<String, String> specialTokens() {
    var tokens = new LinkedHashMap<String, String>();
    for (var name : new String[] {"special_tokens_map.json", CONFIG}) {
      for (var entry : json(folder.resolve(name)).properties()) {
        if (!entry.getKey().endsWith("_token")) continue;
        var value = entry.getValue();
        var content = value.isObject() ? value.path("content") : value;
        if (content.isString()) tokens.put(entry.getKey(), content.stringValue());
      }
    }
    return tokens;
  }

  private static JsonNode json(Path file) {
    if (!Files.exists(file)) return MissingNode.getInstance();
    try {
      return new JsonMapper().readTree(text(file));
    } catch (JacksonException e) {
      throw new LoadException(file + " is not JSON: " + e.getOriginalMessage(), e);
    }
  }

  static String text(Path file) {
    try {
      return SmallInput.text(file, SmallInput.file(file, LONGEST_FILE));
    } catch (IOException e) {
      throw new LoadException(e.getMessage(), e);
    }
  }
}
