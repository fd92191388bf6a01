package weft.text.tokenizer;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import weft.text.TextException;

/**
 * Reads the post-processor of a tokenizer.json: of it, only what stands around a single text
 * matters here.
 */
final class PostProcessorJson {
  private final Vocabulary vocabulary;

  private PostProcessorJson(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
  }

  static Affixes read(Optional<JsonPart> part, Vocabulary vocabulary) {
    return part.map(new PostProcessorJson(vocabulary)::read).orElse(Affixes.NONE);
  }

  private Affixes read(JsonPart part) {
    return switch (part.type()) {
      case "Sequence" -> {
        var affixes = Affixes.NONE;
        for (JsonPart processor : part.parts("processors")) {
          affixes = affixes.within(read(processor));
        }
        yield affixes;
      }
      case "TemplateProcessing" -> template(part);
      case "ByteLevel" -> Affixes.NONE; // it only trims offsets, which weft has none of
      case "BertProcessing", "RobertaProcessing" ->
          new Affixes(new int[] {pairId(part, "cls")}, new int[] {pairId(part, "sep")});
      default ->
          throw part.unknownType(
              "Sequence, TemplateProcessing, ByteLevel, BertProcessing and RobertaProcessing");
    };
  }

  private Affixes template(JsonPart part) {
    var before = new IntList();
    var after = new IntList();
    int texts = 0;
    for (JsonPart piece : part.parts("single")) {
      if (piece.part("Sequence").isPresent()) {
        texts++;
      } else {
        String name = piece.requiredPart("SpecialToken").string("id");
        List<Integer> ids = part.requiredPart("special_tokens").requiredPart(name).integers("ids");
        for (int id : ids) {
          (texts == 0 ? before : after).add(checked(part, id));
        }
      }
    }
    if (texts != 1) {
      throw new TextException(
          part.place() + ".single has the text " + texts + " times; expected once");
    }
    return new Affixes(before.toArray(), after.toArray());
  }

  private int pairId(JsonPart part, String name) {
    JsonNode pair = part.node().path(name);
    if (!pair.path(1).isInt()) {
      throw part.wrong(name, pair, "a token and its id");
    }
    return checked(part, pair.path(1).intValue());
  }

  private int checked(JsonPart part, int id) {
    if (!vocabulary.contains(id)) {
      throw new TextException(part.place() + " adds token " + id + ", which does not exist");
    }
    return id;
  }
}
