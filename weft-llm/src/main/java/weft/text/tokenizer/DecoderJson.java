package weft.text.tokenizer;

import java.util.List;
import java.util.Optional;

/** Reads the decoder of a tokenizer.json. */
final class DecoderJson {
  private DecoderJson() {}

  static Decoder read(Optional<JsonPart> part) {
    return part.map(DecoderJson::read).orElse(Decoder.SPACED);
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
