package weft.text.tokenizer;

import java.text.Normalizer.Form;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import weft.text.TextException;
import weft.text.regex.Regex;

/** Reads the normalizer of a tokenizer.json. */
final class NormalizerJson {
  private NormalizerJson() {}

  static Normalizer read(Optional<JsonPart> part) {
    return part.map(NormalizerJson::read).orElse(Normalizer.NONE);
  }

  private static Normalizer read(JsonPart part) {
    return switch (part.type()) {
      case "Sequence" -> {
        List<Normalizer> steps =
            part.parts("normalizers").stream().map(NormalizerJson::read).toList();
        yield new Normalizer.Chain(steps);
      }
      case "NFC" -> new Normalizer.Unicode(Form.NFC);
      case "NFD" -> new Normalizer.Unicode(Form.NFD);
      case "NFKC" -> new Normalizer.Unicode(Form.NFKC);
      case "NFKD" -> new Normalizer.Unicode(Form.NFKD);
      case "Replace" -> new Normalizer.Replace(finder(part), part.string("content"));
      case "Prepend" -> new Normalizer.Prepend(part.string("prepend"));
      case "Lowercase" -> new Normalizer.Lowercase();
      case "Strip" -> strip(part);
      case "StripAccents" -> new Normalizer.StripAccents();
      case "Nmt" -> new Normalizer.Nmt();
      case "ByteLevel" -> new Normalizer.ByteLevel();
      case "Precompiled" -> precompiled(part);
      default ->
          throw part.unknownType(
              "Sequence, NFC, NFD, NFKC, NFKD, Replace, Prepend, Lowercase, Strip, StripAccents,"
                  + " Nmt, ByteLevel and Precompiled");
    };
  }

  private static Normalizer strip(JsonPart part) {
    boolean left = part.flag("strip_left", true);
    boolean right = part.flag("strip_right", true);
    if (!left && !right) {
      return Normalizer.NONE;
    }
    return new Normalizer.Strip(
        left && right
            ? Normalizer.Strip.Ends.BOTH
            : left ? Normalizer.Strip.Ends.LEFT : Normalizer.Strip.Ends.RIGHT);
  }

  private static Normalizer precompiled(JsonPart part) {
    String encoded = part.optionalString("precompiled_charsmap").orElse("");
    if (encoded.isEmpty()) {
      return Normalizer.NONE;
    }
    try {
      return new Normalizer.Compiled(CharsMap.of(Base64.getDecoder().decode(encoded)));
    } catch (IllegalArgumentException e) {
      throw new TextException(
          part.place() + ".precompiled_charsmap is no valid Base64: " + e.getMessage(), e);
    }
  }

  /** What a component's {@code pattern} member looks for. */
  static Finder finder(JsonPart part) {
    JsonNode pattern = part.node().path("pattern");
    if (pattern.path("Regex").isString()) {
      return new Finder.Pattern(Regex.of(pattern.path("Regex").stringValue()));
    }
    if (pattern.path("String").isString()) {
      String string = pattern.path("String").stringValue();
      // An empty string is between any two characters; only the matcher knows what that means.
      return string.isEmpty() ? new Finder.Pattern(Regex.of("")) : new Finder.Literal(string);
    }
    throw part.wrong("pattern", pattern, "an object with a member String or Regex");
  }
}
