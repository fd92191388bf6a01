package weft.load;

import java.nio.file.Path;
import java.util.Optional;
import weft.generate.Drafter;
import weft.generate.PromptLookup;
import weft.generate.Speculation;

/**
 * Who guesses ahead for a model's replies, by what was asked for when it was loaded and what there
 * is. Owns the draft model, if there is one.
 */
record Guessing(Speculation speculation, Optional<LanguageModel> draft) implements AutoCloseable {
  private static final Guessing NONE = new Guessing(Speculation.NONE, Optional.empty());

  static Guessing of(LanguageModel model, LoadOptions options) {
    var drafts = options.drafts();
    return switch (drafts.by()) {
      case NONE -> NONE;
      case LOOKUP -> lookup(drafts);
      case HEAD -> head(model, drafts).orElseThrow(() -> noHead(model));
      case MODEL -> draft(model, options).orElseThrow(Guessing::noDraftModel);
      case AUTO ->
          head(model, drafts).or(() -> draft(model, options)).orElseGet(() -> lookup(drafts));
    };
  }

  private static Guessing lookup(Drafts drafts) {
    return by(new PromptLookup(), drafts, Optional.empty());
  }

  private static Optional<Guessing> head(LanguageModel model, Drafts drafts) {
    return model.mtpDrafter(drafts.options()).map(drafter -> by(drafter, drafts, Optional.empty()));
  }

  private static Optional<Guessing> draft(LanguageModel model, LoadOptions options) {
    return options.draftModel().map(path -> draft(model, path, options));
  }

  private static Guessing draft(LanguageModel model, Path path, LoadOptions options) {
    var draft = LanguageModel.load(path, options.ofDraftModel());
    try {
      var drafter = model.draftDrafter(draft, options.drafts().options());
      return by(drafter, options.drafts(), Optional.of(draft));
    } catch (RuntimeException | Error e) {
      draft.close();
      throw e;
    }
  }

  private static Guessing by(Drafter drafter, Drafts drafts, Optional<LanguageModel> draft) {
    return new Guessing(Speculation.adaptive(drafter, drafts.most()), draft);
  }

  private static LoadException noHead(LanguageModel model) {
    return new LoadException(
        model.checkpoint().path().getFileName()
            + " has no head for multi-token prediction (nextn.* in GGUF, mtp.* in safetensors); let"
            + " the text itself guess (lookup), or whatever there is (auto)");
  }

  private static LoadException noDraftModel() {
    return new LoadException("no draft model was given, which is to guess ahead; name one");
  }

  @Override
  public void close() {
    draft.ifPresent(LanguageModel::close);
  }
}
