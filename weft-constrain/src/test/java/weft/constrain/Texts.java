package weft.constrain;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Vocabularies and texts of tests. */
final class Texts {
  /** The end of a text in {@link #vocabulary}. */
  static final int END = 256;

  private Texts() {}

  /** All bytes, an end, and some texts. */
  static Vocabulary vocabulary(Collection<String> texts) {
    var tokens = new ArrayList<byte[]>();
    for (int value = 0; value < 256; value++) tokens.add(new byte[] {(byte) value});
    tokens.add(new byte[0]);
    for (var text : texts) tokens.add(text.getBytes(StandardCharsets.UTF_8));
    return Vocabulary.of(tokens, Set.of(END));
  }

  static boolean accepts(Constraint constraint, String text) {
    var matcher = constraint.matcher();
    return matcher.accept(text.getBytes(StandardCharsets.UTF_8)) && matcher.isComplete();
  }

  static boolean accepts(Regex regex, String text) {
    return accepts(Constraint.of(Grammar.of(regex), vocabulary(List.of())), text);
  }
}
