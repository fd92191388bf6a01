package weft.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import weft.chat.ChatPrompts;
import weft.chat.Part;
import weft.chat.PicturedText;
import weft.chat.Sight;
import weft.generate.Album;
import weft.generate.Request;
import weft.load.LanguageModel;
import weft.text.TextException;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/** Where a prompt comes from: token ids, a text, or a file with one; exactly one of them. */
final class PromptOptions {
  @Option(
      names = "--tokens",
      paramLabel = "IDS",
      converter = TokenList.class,
      description = "The prompt as token ids: 1,2,3.")
  private @Nullable TokenIds tokens;

  @Option(
      names = {"-p", "--prompt"},
      paramLabel = "TEXT",
      description = "The prompt as text.")
  private @Nullable String text;

  @Option(
      names = "--prompt-file",
      paramLabel = "FILE",
      description = "A file with the prompt, in UTF-8.")
  private @Nullable Path file;

  PromptOptions() {}

  /** Wrong usage is said before a model is loaded. */
  void requireGiven() {
    if (Stream.of(tokens, text, file).filter(Objects::nonNull).count() != 1) {
      throw new UsageException(
          "give one prompt: --prompt TEXT, --prompt-file FILE or --tokens IDS");
    }
  }

  /**
   * The tokenizer, which a prompt of token ids can do without: a broken one is then said, and the
   * reply has no text.
   */
  Optional<Tokenizer> tokenizer(LanguageModel model, Console console) {
    if (tokens == null) return Optional.of(model.tokenizer());
    try {
      return model.text().tokenizer();
    } catch (TextException e) {
      console.say("the reply will have no text: " + Failures.sentence(e));
      return Optional.empty();
    }
  }

  /** Going on from the prompt with what is shown, as text where there is a tokenizer. */
  Request request(LanguageModel model, Optional<Tokenizer> tokenizer, List<Part.Shown> shown) {
    var pictured = pictured(model, shown);
    var request =
        tokenizer.isPresent() ? model.request(pictured.tokens()) : model.bare(pictured.tokens());
    return request.withAlbum(pictured.album());
  }

  /** The prompt with the rows of what is shown. */
  ChatPrompts.Prompt pictured(LanguageModel model, List<Part.Shown> shown) {
    if (shown.isEmpty()) return new ChatPrompts.Prompt("", tokens(model), 0, List.of());
    var sight =
        model.sight().orElseThrow(() -> Sight.missing(ModelOptions.name(model), shown.getFirst()));
    return tokens != null
        ? PicturedText.of(sight, tokens.ids(), shown)
        : PicturedText.of(sight, model.tokenizer(), text().orElseThrow(), shown);
  }

  private int[] tokens(LanguageModel model) {
    if (tokens != null) return tokens.ids();
    return model.tokenizer().encode(text().orElseThrow(), Surround.ADDED, SpecialText.PARSED);
  }

  /** Whether a prompt for a model that chats is text without any of its control tokens. */
  boolean isPlain(LanguageModel model, int[] ids) {
    if (tokens != null || model.text().templateSource().isEmpty()) return false;
    var tokenizer = model.tokenizer();
    // What stands before every text is not the user's.
    return Arrays.stream(ids)
        .filter(id -> !Album.isRow(id))
        .noneMatch(id -> tokenizer.isSpecial(id) && tokenizer.bos().orElse(-1) != id);
  }

  /** Empty when the prompt is given by its token ids. */
  Optional<String> text() {
    return file == null ? Optional.ofNullable(text) : Optional.of(TextInput.file(file));
  }

  /** Token ids as they are typed. */
  private record TokenIds(int... ids) {}

  /** Reads {@code 1,2,3}. */
  private static final class TokenList implements ITypeConverter<TokenIds> {
    TokenList() {}

    private static int id(String text) {
      int id = Integer.parseInt(text);
      if (id < 0) throw new NumberFormatException("no id has a sign");
      return id;
    }

    @Override
    public TokenIds convert(String value) {
      try {
        var ids = Arrays.stream(value.split(",", -1)).map(String::strip);
        return new TokenIds(ids.mapToInt(TokenList::id).toArray());
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + value + "' is no list of token ids like 1,2,3");
      }
    }
  }
}
