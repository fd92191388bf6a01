package weft.text.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.List;
import weft.text.regex.Effort;

/** The bytes that a single token stands for inside a text. */
final class TokenBytes {
  private TokenBytes() {}

  static byte[] of(String token, Decoder decoder) {
    return switch (decoder) {
      case Decoder.Chain(var steps) -> of(token, steps);
      case Decoder.ByteLevel level -> ByteAlphabet.read(token);
      case Decoder.ByteFallback fallback -> fallback(token);
      case Decoder.Replace(var finder, var replacement) ->
          utf8(finder.replaceAll(token, replacement, Effort.on(token.length())));
      case Decoder.Metaspace(var mark, var first) -> utf8(token.replace(mark, " "));
      case Decoder.WordSuffix(var suffix) -> utf8(token.replace(suffix, " "));
      case Decoder.Strip strip -> utf8(token);
      case Decoder.Fuse fuse -> utf8(token);
      case Decoder.Joined joined -> utf8(token);
    };
  }

  private static byte[] of(String token, List<Decoder> steps) {
    String text = token;
    for (Decoder step : steps) {
      if (step.fuses() || (step instanceof Decoder.ByteFallback && ByteTokens.value(text) >= 0)) {
        return of(text, step);
      }
      text = new String(of(text, step), StandardCharsets.UTF_8);
    }
    return utf8(text);
  }

  private static byte[] fallback(String token) {
    int value = ByteTokens.value(token);
    return value < 0 ? utf8(token) : new byte[] {(byte) value};
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
