package weft.cli;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import weft.chat.AfterThought;
import weft.chat.SpareSpace;
import weft.constrain.ConstrainException;
import weft.constrain.Grammar;
import weft.constrain.Regex;
import weft.constrain.schema.JsonSchema;
import weft.generate.Request;
import weft.load.LanguageModel;

/** What a text may be: JSON of a schema, a pattern's match or a grammar's text; at most one. */
final class GrammarOptions {
  @Option(names = "--schema", paramLabel = "FILE", description = "JSON that a JSON Schema allows.")
  private @Nullable Path schema;

  @Option(
      names = "--regex",
      paramLabel = "PATTERN",
      description =
          "A text that the pattern matches as a whole, in ECMA-262's dialect, as if between ^ and"
              + " $.")
  private @Nullable String regex;

  @Option(
      names = "--grammar",
      paramLabel = "FILE",
      description = "A text of a grammar's rule root, in llama.cpp's notation, GBNF.")
  private @Nullable Path grammar;

  GrammarOptions() {}

  /** What a reply may be. */
  record Form(Grammar grammar, boolean isJson) {
    /**
     * Keeps replies of a model to it: behind a thought that the prompt has opened, as serve does.
     */
    UnaryOperator<Request> on(LanguageModel model) {
      var constraint = model.constrain(grammar);
      var tokenizer = model.tokenizer();
      var blank = isJson ? SpareSpace.blank(tokenizer) : new BitSet();
      return request -> {
        var prompt = request.prompt();
        return request.withMask(
            () -> {
              var mask = constraint.get();
              var spared = isJson ? new SpareSpace(mask, tokenizer, blank) : mask;
              return AfterThought.of(spared, prompt, tokenizer);
            });
      };
    }
  }

  /** Read before a model is loaded; what is wrong with it is wrong usage. */
  Optional<Form> form() {
    return grammar().map(allowed -> new Form(allowed, schema != null));
  }

  private Optional<Grammar> grammar() {
    long given = Stream.of(schema, regex, grammar).filter(Objects::nonNull).count();
    if (given > 1) throw new UsageException("give one of --schema, --regex and --grammar");
    try {
      if (schema != null) return Optional.of(JsonSchema.compile(TextInput.file(schema)));
      if (regex != null) return Optional.of(Grammar.of(Regex.parse(regex)));
      if (grammar != null) return Optional.of(Grammar.parse(TextInput.file(grammar)));
      return Optional.empty();
    } catch (ConstrainException e) {
      throw new UsageException(e.getMessage());
    }
  }
}
