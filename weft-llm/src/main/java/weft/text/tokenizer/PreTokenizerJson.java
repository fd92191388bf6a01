package weft.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.text.regex.Regex;
import weft.text.tokenizer.PreTokenizer.Split;
import weft.text.tokenizer.PreTokenizer.Split.Sense;
import weft.unicode.CodePointSet;
import weft.unicode.UnicodeProperty;

/** Reads the pre-tokenizer of a tokenizer.json. */
final class PreTokenizerJson {
  /**
   * Words and runs of symbols; this one pattern is not Oniguruma's, and its words include the
   * joiners.
   */
  private static final String WORDS = "[\\w\\x{200C}\\x{200D}]+|[^\\w\\x{200C}\\x{200D}\\s]+";

  /** Unicode's punctuation and all that is punctuation in ASCII. */
  private static final String PUNCTUATION = "[\\p{P}!-/:-@\\[-`{-~]";

  private PreTokenizerJson() {}

  static PreTokenizer read(Optional<JsonPart> part) {
    return part.map(PreTokenizerJson::read).orElse(PreTokenizer.NONE);
  }

  private static PreTokenizer read(JsonPart part) {
    return switch (part.type()) {
      case "Sequence" -> {
        List<PreTokenizer> steps =
            part.parts("pretokenizers").stream().map(PreTokenizerJson::read).toList();
        yield new PreTokenizer.Chain(steps);
      }
      case "ByteLevel" -> byteLevel(part);
      case "Split" ->
          new Split(
              NormalizerJson.finder(part),
              delimiters(part, part.string("behavior")),
              part.flag("invert", false) ? Sense.GAPS : Sense.MATCHES);
      case "Metaspace" -> metaspace(part);
      case "Digits" ->
          members(
              UnicodeProperty.NUMBER,
              part.flag("individual_digits", false) ? Delimiters.ISOLATED : Delimiters.CONTIGUOUS);
      case "Punctuation" ->
          new Split(
              pattern(PUNCTUATION),
              delimiters(part, part.optionalString("behavior").orElse("Isolated")),
              Sense.MATCHES);
      case "Whitespace" -> new Split(pattern(WORDS), Delimiters.REMOVED, Sense.GAPS);
      case "WhitespaceSplit" -> members(UnicodeProperty.SPACE, Delimiters.REMOVED);
      case "CharDelimiterSplit" ->
          new Split(
              new Finder.Literal(part.character("delimiter")), Delimiters.REMOVED, Sense.MATCHES);
      case "BertPreTokenizer" ->
          new PreTokenizer.Chain(
              List.of(
                  members(UnicodeProperty.SPACE, Delimiters.REMOVED),
                  Split.isolating(PUNCTUATION)));
      case "FixedLength" -> Split.isolating("\\O{1," + part.integer("length") + "}");
      default ->
          throw part.unknownType(
              "Sequence, ByteLevel, Split, Metaspace, Digits, Punctuation, Whitespace,"
                  + " WhitespaceSplit, CharDelimiterSplit, BertPreTokenizer and FixedLength");
    };
  }

  private static PreTokenizer byteLevel(JsonPart part) {
    var steps = new ArrayList<PreTokenizer>();
    if (part.flag("add_prefix_space", true)) {
      steps.add(new PreTokenizer.PrefixSpace());
    }
    if (part.flag("use_regex", true)) {
      steps.add(Split.isolating(PreTokenizer.GPT2_PATTERN));
    }
    steps.add(new PreTokenizer.ByteLevel());
    return new PreTokenizer.Chain(List.copyOf(steps));
  }

  private static PreTokenizer metaspace(JsonPart part) {
    String mark = part.character("replacement");
    var prepend =
        switch (scheme(part)) {
          case "always" -> PreTokenizer.Metaspace.Prepend.ALL;
          case "first" -> PreTokenizer.Metaspace.Prepend.FIRST;
          case "never" -> PreTokenizer.Metaspace.Prepend.NONE;
          default ->
              throw part.wrong(
                  "prepend_scheme",
                  part.node().path("prepend_scheme"),
                  "'always', 'first' or 'never'");
        };
    var marked = new PreTokenizer.Metaspace(mark, prepend);
    return part.flag("split", true)
        ? new PreTokenizer.Chain(
            List.of(
                marked,
                new Split(new Finder.Literal(mark), Delimiters.MERGED_WITH_NEXT, Sense.MATCHES)))
        : marked;
  }

  /** Which pieces get a space mark in front; older files only say whether any do. */
  static String scheme(JsonPart part) {
    return part.optionalString("prepend_scheme")
        .orElse(part.flag("add_prefix_space", true) ? "always" : "never");
  }

  private static Delimiters delimiters(JsonPart part, String behavior) {
    return switch (behavior) {
      case "Removed" -> Delimiters.REMOVED;
      case "Isolated" -> Delimiters.ISOLATED;
      case "MergedWithPrevious" -> Delimiters.MERGED_WITH_PREVIOUS;
      case "MergedWithNext" -> Delimiters.MERGED_WITH_NEXT;
      case "Contiguous" -> Delimiters.CONTIGUOUS;
      default ->
          throw part.wrong(
              "behavior",
              part.node().path("behavior"),
              "Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
    };
  }

  private static Split members(CodePointSet set, Delimiters delimiters) {
    return new Split(new Finder.Members(set), delimiters, Sense.MATCHES);
  }

  private static Finder pattern(String pattern) {
    return new Finder.Pattern(Regex.of(pattern));
  }
}
