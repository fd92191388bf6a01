package weft.cli;

import weft.text.tokenizer.Tokenizer;

/** Tokens as people look at them: side by side in colours, or one a line without a terminal. */
final class TokenDisplay {
  /** Backgrounds of the 256-colour palette that black text can be read on. */
  private static final int[] BACKGROUNDS = {153, 157, 223, 183, 217, 159};

  private static final String RESET = "\033[0m";

  private final Tokenizer tokenizer;
  private final Console console;

  TokenDisplay(Tokenizer tokenizer, Console console) {
    this.tokenizer = tokenizer;
    this.console = console;
  }

  void show(int[] ids) {
    if (console.settings().isColored()) {
      side(ids);
    } else {
      list(ids);
    }
  }

  private void side(int[] ids) {
    var line = new StringBuilder();
    for (int i = 0; i < ids.length; i++) {
      var color = "\033[38;5;16;48;5;" + BACKGROUNDS[i % BACKGROUNDS.length] + "m";
      // A background does not cross the end of a line cleanly.
      line.append(color)
          .append(spelled(ids[i]).replace("\n", "\\n" + RESET + "\n" + color))
          .append(RESET);
    }
    console.out().println(line.toString());
    console.out().println(ids.length + " tokens");
  }

  private void list(int[] ids) {
    var table = new Table("id", "token").right(0);
    for (int id : ids) {
      table.row(id, "\"" + spelled(id).replace("\n", "\\n").replace("\t", "\\t") + "\"");
    }
    table.print(console.out());
  }

  /** A token's text; one that is part of a character is spelled by its bytes. */
  private String spelled(int id) {
    var bytes = tokenizer.bytes(id);
    var text = new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    if (!text.contains("\uFFFD")) return text;
    var hex = new StringBuilder();
    for (byte b : bytes) hex.append("<%02X>".formatted(b));
    return hex.toString();
  }
}
