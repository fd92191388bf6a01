package weft.text.tokenizer;

import java.util.List;
import java.util.Optional;
import weft.text.TextException;

/** Reads the decoder of a tokenizer.json. */
final class DecoderJson {
  private static final int MAX_GROWTH = 1000;

  private DecoderJson() {}

  static Decoder read(Optional<JsonPart> part) {
    Decoder decoder = part.map(DecoderJson::read).orElse(Decoder.SPACED);
    if (growth(decoder) > MAX_GROWTH) {
      throw new TextException(
          "the tokenizer's decoder can make text more than " + MAX_GROWTH + " times longer");
    }
    return decoder;
  }

  /** How many times longer a decoder can make a text. */
  private static double growth(Decoder decoder) {
    return switch (decoder) {
      case Decoder.Chain(var steps) ->
          steps.stream().mapToDouble(DecoderJson::growth).reduce(1, (a, b) -> a * b);
      case Decoder.Replace(Finder.Literal(var string), var replacement) ->
          Math.max(1, (double) replacement.length() / string.length());
      case Decoder.Replace(Finder finder, var replacement) -> replacement.length() + 1;
      case Decoder.WordSuffix suffix -> 2;
      case Decoder.Joined joined -> 1;
      case Decoder.ByteLevel level -> 1;
      case Decoder.ByteFallback fallback -> 1;
      case Decoder.Fuse fuse -> 1;
      case Decoder.Strip strip -> 1;
      case Decoder.Metaspace metaspace -> 1;
    };
  }

  private static Decoder read(JsonPart part) {
    return switch (part.type()) {
      case "Sequence" -> {
        List<Decoder> steps = part.parts("decoders").stream().map(DecoderJson::read).toList();
        yield new Decoder.Chain(steps);
      }
      case "ByteLevel" -> new Decoder.ByteLevel();
      case "ByteFallback" -> new Decoder.ByteFallback();
      case "Fuse" -> new Decoder.Fuse();
      case "Replace" -> new Decoder.Replace(NormalizerJson.finder(part), part.string("content"));
      case "Strip" ->
          new Decoder.Strip(
              part.character("content").codePointAt(0),
              part.integer("start"),
              part.integer("stop"));
      case "Metaspace" ->
          new Decoder.Metaspace(
              part.character("replacement"),
              PreTokenizerJson.scheme(part).equals("never")
                  ? Decoder.Metaspace.First.SPACES
                  : Decoder.Metaspace.First.REMOVED);
      case "BPEDecoder" -> new Decoder.WordSuffix(part.optionalString("suffix").orElse("</w>"));
      default ->
          throw part.unknownType(
              "Sequence, ByteLevel, ByteFallback, Fuse, Replace, Strip, Metaspace and BPEDecoder");
    };
  }
}
