package weft.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import weft.generate.DraftOptions;
import weft.load.Drafts;
import weft.load.LoadOptions;

/** Who guesses tokens ahead, so that a pass of the model makes more than one. */
final class SpeculateOptions {
  private static final Pattern HOW =
      Pattern.compile("(none|(auto|mtp|draft|lookup)(?::([1-9][0-9]{0,2}))?)");

  /** What {@code --draft} took before it took a model. */
  private static final Pattern LOOKUP = Pattern.compile("prompt-lookup(?::([1-9][0-9]{0,2}))?");

  @Option(
      names = "--speculate",
      paramLabel = "HOW[:K]",
      description =
          "Guess at most K tokens ahead (default: 8), fewer where fewer pay: mtp by the model's own"
              + " head, draft by another model, lookup where the text repeats itself, auto by the"
              + " first of these that there is, or none. The tokens are the same, and fewer passes"
              + " make them (default: none, or draft with --draft).")
  private @Nullable String how;

  @Option(
      names = "--draft",
      paramLabel = "MODEL",
      description =
          "A smaller model of the same vocabulary that guesses ahead; or prompt-lookup[:K], as"
              + " --speculate lookup[:K].")
  private @Nullable String draft;

  @Option(
      names = "--draft-vocab",
      paramLabel = "N",
      description =
          "The model's own head guesses the first N tokens of the vocabulary alone, which takes"
              + " less time (default: ${DEFAULT-VALUE}).")
  private int vocabulary = Drafts.USUAL_VOCABULARY;

  SpeculateOptions() {}

  /** Wrong usage is said before a model is looked for. */
  void requireRight() {
    Ranges.require("--draft-vocab", vocabulary, 1, Integer.MAX_VALUE);
    var drafts = drafts();
    if (model().isPresent() && drafts.by() != Drafts.By.MODEL && drafts.by() != Drafts.By.AUTO) {
      throw new UsageException(
          "--draft gives a model for --speculate draft or auto, got --speculate " + how);
    }
    if (model().isEmpty() && drafts.by() == Drafts.By.MODEL) {
      throw new UsageException("--speculate draft needs a model that guesses: --draft MODEL");
    }
    if (model().filter(path -> path.toString().isEmpty() || !Files.exists(path)).isPresent()) {
      throw new UsageException("--draft takes a model, and '" + draft + "' does not exist");
    }
  }

  /** Loads a model for what was chosen. */
  LoadOptions of(LoadOptions options) {
    var way = DraftOptions.standard().withVocabulary(vocabulary);
    var drafting = options.withDrafts(drafts().withOptions(way));
    return model().map(drafting::withDraftModel).orElse(drafting);
  }

  private Optional<Path> model() {
    return draft == null || LOOKUP.matcher(draft).matches()
        ? Optional.empty()
        : Optional.of(Path.of(draft));
  }

  private Drafts drafts() {
    if (how != null) return drafts(how);
    if (draft == null) return Drafts.NONE;
    var lookup = LOOKUP.matcher(draft);
    if (!lookup.matches()) return Drafts.by(Drafts.By.MODEL);
    return drafts(Drafts.By.LOOKUP, lookup.group(1));
  }

  private static Drafts drafts(String how) {
    var parts = HOW.matcher(how);
    if (!parts.matches()) {
      throw new UsageException(
          "--speculate takes auto, none, mtp, draft or lookup, and :K for the most tokens of a"
              + " draft, got "
              + how);
    }
    if (parts.group(2) == null) return Drafts.NONE;
    var by =
        switch (parts.group(2)) {
          case "mtp" -> Drafts.By.HEAD;
          case "draft" -> Drafts.By.MODEL;
          case "lookup" -> Drafts.By.LOOKUP;
          default -> Drafts.By.AUTO;
        };
    return drafts(by, parts.group(3));
  }

  private static Drafts drafts(Drafts.By by, @Nullable String most) {
    return most == null ? Drafts.by(by) : Drafts.by(by).withMost(Integer.parseInt(most));
  }
}
