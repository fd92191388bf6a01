package weft.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import weft.load.LanguageModel;

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

  int[] tokens(LanguageModel model) throws IOException {
    if (tokens != null) return tokens.ids();
    throw new CliException(
        "this checkpoint comes without a tokenizer that weft can read; give --tokens IDS");
  }

  /** Token ids as they are typed. */
  private record TokenIds(int... ids) {}

  /** Reads {@code 1,2,3}. */
  private static final class TokenList implements ITypeConverter<TokenIds> {
    TokenList() {}

    @Override
    public TokenIds convert(String value) {
      try {
        var ids = Arrays.stream(value.split(",", -1)).map(String::strip);
        return new TokenIds(ids.mapToInt(Integer::parseInt).toArray());
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + value + "' is no list of token ids like 1,2,3");
      }
    }
  }
}
