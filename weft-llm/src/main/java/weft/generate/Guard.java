package weft.generate;

import java.util.Optional;

/** Refuses logits that no healthy model gives: not finite, or all equal. */
record Guard(Model model) {

  void check(Logits row, Tokens text) {
    if (row.size() != model.vocabularySize()) {
      throw new GenerateException(
          "the model gave a row of "
              + row.size()
              + " logits for a vocabulary of "
              + model.vocabularySize());
    }
    if (!row.isFinite()) throw notFinite(row.toArray(), text);
    // Two that lead together are rare enough to look at every logit then.
    if (areLevel(row)) requireNotFlat(row.toArray(), text);
  }

  private static boolean areLevel(Logits row) {
    var leading = new float[2];
    return row.greatest(2, new int[2], leading) == 2 && leading[0] == leading[1];
  }

  private void requireNotFlat(float[] logits, Tokens text) {
    for (float logit : logits) if (logit != logits[0]) return;
    throw broken(text, "are all equal to " + logits[0]);
  }

  private GenerateException notFinite(float[] logits, Tokens text) {
    int token = 0;
    while (Float.isFinite(logits[token])) token++;
    return broken(text, "are not finite: token " + token + " has " + logits[token]);
  }

  private GenerateException broken(Tokens text, String how) {
    String what = "the logits after " + text.length() + " tokens " + how + ".";
    String move =
        " The weights are damaged or a kernel is wrong: compare with the reference backend.";
    try {
      Optional<String> layer = model.diagnose(text.toArray());
      String where = layer.map(bad -> " The first bad place: " + bad + ".").orElse("");
      return new GenerateException(what + where + move);
    } catch (RuntimeException undiagnosed) {
      return new GenerateException(what + move, undiagnosed);
    }
  }
}
