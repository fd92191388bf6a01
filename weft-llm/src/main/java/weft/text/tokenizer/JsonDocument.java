package weft.text.tokenizer;

import java.io.IOException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import weft.input.SmallInput;
import weft.text.TextException;

/** Reads untrusted JSON files within bounds. */
final class JsonDocument {
  /** The largest real tokenizer.json files have about 35 MB. */
  private static final int MAX_BYTES = 256 << 20;

  private static final int MAX_STRING = 4 << 20;
  private static final int MAX_DEPTH = 64;

  static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  // A vocabulary is one object with as many different names as tokens: no use to
                  // keep a symbol table.
                  .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                  .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxDocumentLength(MAX_BYTES)
                          .maxStringLength(MAX_STRING)
                          .build())
                  .build())
          .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS) // members are read one by one
          .build();

  private JsonDocument() {}

  static byte[] bytes(Path file) {
    try {
      return SmallInput.file(file, MAX_BYTES);
    } catch (IOException e) {
      throw new TextException("the tokenizer file " + e.getMessage(), e);
    }
  }

  static JsonNode tree(byte[] json, String name) {
    try {
      return MAPPER.readTree(json);
    } catch (JacksonException e) {
      throw malformed(name, e);
    }
  }

  static JsonParser parser(byte[] json) {
    return MAPPER.createParser(json);
  }

  static TextException malformed(String name, JacksonException e) {
    return new TextException(name + " is no valid JSON: " + e.getOriginalMessage(), e);
  }
}
