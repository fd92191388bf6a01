package weft.text.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import weft.text.TextException;
import weft.text.regex.Regex;
import weft.text.tokenizer.GgufVocabulary.Flag;
import weft.text.tokenizer.GgufVocabulary.Role;

/**
 * Builds tokenizers from GGUF metadata, to the same thing that the model's tokenizer.json
 * describes.
 */
final class GgufTokenizer {
  private static final String MARK = String.valueOf(WordBreaks.SPACE_MARK);
  private static final Map<Role, Integer> SENTENCE_PIECE_IDS =
      Map.of(Role.BOS, 1, Role.EOS, 2, Role.UNKNOWN, 0);

  /**
   * Only vocabularies of Phi-3 have this token. Its special tokens take white space after them
   * along, which GGUF cannot say.
   */
  private static final String PHI3_TELLTALE = "<|placeholder1|>";

  private static final Set<String> PHI3_PLAIN = Set.of("<unk>", "<s>", "<|endoftext|>");

  private static final Map<Role, Integer> T5_IDS =
      Map.of(Role.EOS, 1, Role.UNKNOWN, 2, Role.PADDING, 0);

  private final GgufVocabulary gguf;
  private final Vocabulary vocabulary;
  private final List<AddedToken> added = new ArrayList<>();

  private GgufTokenizer(GgufVocabulary gguf) {
    this.gguf = gguf;
    this.vocabulary = new Vocabulary(gguf.tokens().size());
  }

  static Tokenizer of(GgufVocabulary gguf) {
    return switch (gguf.model()) {
      case "gpt2" -> new GgufTokenizer(gguf).byteLevel();
      case "llama" -> new GgufTokenizer(gguf).sentencePiece();
      case "gemma4" -> new GgufTokenizer(gguf).mergedSentencePiece();
      case "t5" -> new GgufTokenizer(gguf).unigram();
      default ->
          throw new TextException(
              "tokenizer.ggml.model is '"
                  + gguf.model()
                  + "', which weft does not know; it knows gpt2, llama, gemma4 and t5");
    };
  }

  private Tokenizer byteLevel() {
    var family = PreTokenizerFamily.named(gguf.pre());
    fill(false, family.ordinary());
    var options =
        new BpeModel.Options(
            "", BpeModel.Unknowns.SEPARATE, BpeModel.Fallback.UNKNOWN, family.wholeWords(), "", "");
    return build(
        new BpeModel(vocabulary, merges(), options),
        family.normalizer(),
        family.preTokenizer(),
        new Decoder.ByteLevel(),
        affixes(Map.of(), family.addsBos(), false),
        Map.of());
  }

  private Tokenizer sentencePiece() {
    if (gguf.scores().length == 0) {
      throw new TextException(
          "the GGUF vocabulary is of model 'llama' but has no tokenizer.ggml.scores, which rank its"
              + " merges; convert the model again");
    }
    fill(true, Set.of());
    return sentencePiece(SentencePieceMerges.of(gguf, vocabulary), SENTENCE_PIECE_IDS);
  }

  private Tokenizer mergedSentencePiece() {
    fill(true, Set.of());
    return sentencePiece(merges(), Map.of());
  }

  /**
   * @param defaults the ids that SentencePiece gives to roles the file does not mention; with them
   *     go its habits of a space before the text and a beginning token
   */
  private Tokenizer sentencePiece(IntList merges, Map<Role, Integer> defaults) {
    boolean original = !defaults.isEmpty();
    int unknown = id(Role.UNKNOWN, defaults).orElse(-1);
    var options =
        new BpeModel.Options(
            unknown < 0 ? "" : vocabulary.token(unknown),
            BpeModel.Unknowns.FUSED,
            BpeModel.Fallback.BYTES,
            BpeModel.WholeWords.MERGED,
            "",
            "");
    boolean prefixed = prefixSpace(original);
    var normalizers = new ArrayList<Normalizer>();
    var decoders = new ArrayList<Decoder>();
    if (prefixed) {
      normalizers.add(new Normalizer.Prepend(MARK));
    }
    normalizers.add(new Normalizer.Replace(new Finder.Literal(" "), MARK));
    decoders.add(new Decoder.Replace(new Finder.Literal(MARK), " "));
    decoders.add(new Decoder.ByteFallback());
    decoders.add(new Decoder.Fuse());
    if (prefixed) {
      decoders.add(new Decoder.Strip(' ', 1, 0));
    }
    return build(
        new BpeModel(vocabulary, merges, options),
        new Normalizer.Chain(List.copyOf(normalizers)),
        PreTokenizer.NONE,
        new Decoder.Chain(List.copyOf(decoders)),
        affixes(defaults, original, false),
        defaults);
  }

  private Tokenizer unigram() {
    fill(true, Set.of());
    double[] scores = new double[gguf.scores().length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = gguf.scores()[i];
    }
    var normalizers = new ArrayList<Normalizer>();
    if (gguf.charsMap().length > 0) {
      normalizers.add(new Normalizer.Compiled(CharsMap.of(gguf.charsMap())));
    }
    if (gguf.flag(Flag.REMOVE_EXTRA_WHITESPACES, true)) {
      normalizers.add(new Normalizer.Strip(Normalizer.Strip.Ends.RIGHT));
      normalizers.add(new Normalizer.Replace(new Finder.Pattern(Regex.of(" {2,}")), MARK));
    }
    boolean prefixed = prefixSpace(true);
    return build(
        new UnigramModel(
            vocabulary, scores, id(Role.UNKNOWN, T5_IDS).orElse(-1), BpeModel.Fallback.UNKNOWN),
        new Normalizer.Chain(List.copyOf(normalizers)),
        new PreTokenizer.Chain(
            List.of(
                new PreTokenizer.Metaspace(
                    MARK,
                    prefixed
                        ? PreTokenizer.Metaspace.Prepend.ALL
                        : PreTokenizer.Metaspace.Prepend.NONE),
                new PreTokenizer.Split(
                    new Finder.Literal(MARK),
                    Delimiters.MERGED_WITH_NEXT,
                    PreTokenizer.Split.Sense.MATCHES))),
        new Decoder.Metaspace(
            MARK, prefixed ? Decoder.Metaspace.First.REMOVED : Decoder.Metaspace.First.SPACES),
        affixes(T5_IDS, false, true),
        T5_IDS);
  }

  /**
   * Enters all tokens. Converters write the space marks of user-defined SentencePiece tokens as
   * spaces.
   *
   * @param ordinary tokens that are not special, whatever the file says
   */
  private void fill(boolean marksAsSpaces, Set<String> ordinary) {
    for (int id = 0; id < gguf.tokens().size(); id++) {
      String token = gguf.tokens().get(id);
      boolean written = marksAsSpaces && gguf.type(id) == GgufVocabulary.USER_DEFINED;
      vocabulary.put(written ? token.replace(" ", MARK) : token, id);
    }
    boolean phi3 = vocabulary.find(PHI3_TELLTALE) >= 0;
    for (int id = 0; id < vocabulary.size(); id++) {
      int type = gguf.type(id);
      boolean control = type == GgufVocabulary.CONTROL || type == GgufVocabulary.UNKNOWN;
      if (control || type == GgufVocabulary.USER_DEFINED) {
        String token = vocabulary.token(id);
        var entry = AddedToken.plain(id, token, control && !ordinary.contains(token));
        if (phi3 && !PHI3_PLAIN.contains(token)) {
          entry = entry.strippingRight();
        }
        vocabulary.mark(entry);
        added.add(entry);
      }
    }
  }

  private IntList merges() {
    // A merge to no token changes nothing in llama.cpp, and converters do write such ones.
    var resolver =
        new MergeResolver(
            vocabulary.index(), "", MergeResolver.Missing.SKIPPED, gguf.merges().size());
    for (String merge : gguf.merges()) {
      // The first half may itself start with a space, but is not empty.
      int space = merge.indexOf(' ', 1);
      if (space < 0) {
        throw new TextException(
            "tokenizer.ggml.merges has '" + merge + "'; expected two tokens and a space between");
      }
      String halves = merge.substring(0, space).concat(merge.substring(space + 1));
      resolver.add(halves.toCharArray(), 0, space, halves.length());
    }
    return resolver.triples();
  }

  private boolean prefixSpace(boolean otherwise) {
    return gguf.flag(Flag.ADD_SPACE_PREFIX, otherwise);
  }

  private Affixes affixes(Map<Role, Integer> defaults, boolean bos, boolean eos) {
    return new Affixes(
        gguf.flag(Flag.ADD_BOS, bos) ? id(Role.BOS, defaults).stream().toArray() : new int[0],
        gguf.flag(Flag.ADD_EOS, eos) ? id(Role.EOS, defaults).stream().toArray() : new int[0]);
  }

  private OptionalInt id(Role role, Map<Role, Integer> defaults) {
    int id = gguf.ids().getOrDefault(role, defaults.getOrDefault(role, -1));
    return id < 0 || id >= vocabulary.size() ? OptionalInt.empty() : OptionalInt.of(id);
  }

  private Tokenizer build(
      Model model,
      Normalizer normalizer,
      PreTokenizer preTokenizer,
      Decoder decoder,
      Affixes affixes,
      Map<Role, Integer> defaults) {
    var named =
        new NamedTokens(
            id(Role.BOS, defaults),
            id(Role.EOS, defaults),
            id(Role.UNKNOWN, defaults),
            id(Role.PADDING, defaults));
    return new Tokenizer(
        new Tokenizer.Parts(
            vocabulary, model, added, normalizer, preTokenizer, decoder, affixes, named));
  }
}
