package weft.generate;

import java.util.Optional;

/** Refuses logits that no healthy model gives: not finite, or all equal. */
record Guard(Model model) {

  void check(float[] row, Tokens text) {
    if (row.length != model.vocabularySize()) {
      throw new GenerateException(
          "the model gave a row of "
              + row.length
              + " logits for a vocabulary of "
              + model.vocabularySize());
    }
    float first = row[0];
    boolean flat = row.length > 1;
    for (int token = 0; token < row.length; token++) {
      float logit = row[token];
      if (!Float.isFinite(logit)) {
        throw broken(text, "are not finite: token " + token + " has " + logit);
      }
      flat &= logit == first;
    }
    if (flat) {
      throw broken(text, "are all equal to " + first);
    }
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
