package weft.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import weft.input.Lines;
import weft.input.SmallInput;

/** The texts that a command line names: files, pipes, standard input. */
final class TextInput {
  private static final int LONGEST = 64 << 20;
  private static final String STANDARD_INPUT = "standard input";

  private TextInput() {}

  static String file(Path file) {
    try {
      return SmallInput.text(file, SmallInput.named(file, LONGEST));
    } catch (IOException e) {
      throw new CliException(e.getMessage(), e);
    }
  }

  /** Bytes that are no UTF-8 become replacement characters, as on a terminal. */
  static String standard(Console console) {
    try {
      return new String(
          SmallInput.stream(console.in(), STANDARD_INPUT, LONGEST), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CliException(e.getMessage(), e);
    }
  }

  static Lines lines(Console console) {
    return new Lines(console.in(), STANDARD_INPUT, LONGEST);
  }
}
