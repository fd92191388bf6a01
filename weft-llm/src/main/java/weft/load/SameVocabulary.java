package weft.load;

import weft.text.tokenizer.Tokenizer;

/**
 * Whether a model's guesses are another's tokens: the ids that both know must be the same texts.
 */
final class SameVocabulary {
  private static final String ADVICE =
      "take a smaller model of the same family, or leave --draft away";

  private SameVocabulary() {}

  static void require(LanguageModel model, LanguageModel draft) {
    var ours = model.text().tokenizer();
    var theirs = draft.text().tokenizer();
    if (ours.isPresent() && theirs.isPresent()) {
      requireTexts(ours.get(), theirs.get(), name(draft));
      return;
    }
    int size = model.model().vocabularySize();
    int met = draft.model().vocabularySize();
    if (size != met) {
      throw new LoadException(
          "the draft model %s has %d tokens where the model has %d, and there is no tokenizer to compare them by; %s"
              .formatted(name(draft), met, size, ADVICE));
    }
  }

  /** Either may have more tokens at its end, as sizes are rounded up. */
  private static void requireTexts(Tokenizer ours, Tokenizer theirs, String name) {
    int common = Math.min(ours.vocabularySize(), theirs.vocabularySize());
    int differing = 0;
    int first = -1;
    for (int id = common - 1; id >= 0; id--) {
      if (!ours.has(id) || !theirs.has(id) || ours.token(id).equals(theirs.token(id))) continue;
      differing++;
      first = id;
    }
    if (differing == 0) return;
    throw new LoadException(
        "the draft model %s has another vocabulary: %d of %d tokens differ, the first is %d, \"%s\" there and \"%s\" here; %s"
            .formatted(
                name, differing, common, first, theirs.token(first), ours.token(first), ADVICE));
  }

  private static String name(LanguageModel model) {
    return String.valueOf(model.checkpoint().path().getFileName());
  }
}
