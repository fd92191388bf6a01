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
    boolean isLevel = row.size() > 1;
    for (int run = 0; run < row.runs(); run++) {
      float peak = row.peak(run);
      if (Float.isNaN(peak)) throw notFinite(row, run, text);
      isLevel &= peak == row.peak(0);
    }
    // Equal peaks are rare enough to look at every logit then.
    if (isLevel && isFlat(row)) throw broken(text, "are all equal to " + row.at(0));
  }

  private static boolean isFlat(Logits row) {
    float first = row.at(0);
    for (int token = 1; token < row.size(); token++) {
      if (row.at(token) != first) return false;
    }
    return true;
  }

  private GenerateException notFinite(Logits row, int run, Tokens text) {
    int token = run * Logits.RUN;
    while (Float.isFinite(row.at(token))) token++;
    return broken(text, "are not finite: token " + token + " has " + row.at(token));
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
