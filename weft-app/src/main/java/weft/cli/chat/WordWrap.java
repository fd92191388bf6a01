package weft.cli.chat;

import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/**
 * Breaks lines between words as a text streams: a word is held back until it is whole, and begins a
 * new line where it does not fit.
 */
final class WordWrap {
  private final int width;
  private final IntUnaryOperator columns;
  private final Consumer<String> out;
  private final StringBuilder spaces = new StringBuilder();
  private final StringBuilder word = new StringBuilder();
  private int column;
  private int wordColumns;

  /**
   * @param width of a line; 0 breaks none
   * @param columns how many a character takes
   */
  WordWrap(int width, IntUnaryOperator columns, Consumer<String> out) {
    this.width = width;
    this.columns = columns;
    this.out = out;
  }

  void add(String text) {
    text.codePoints().forEach(this::add);
    if (width == 0) flush();
  }

  private void add(int c) {
    if (c == '\n') {
      flush();
      out.accept("\n");
      column = 0;
    } else if (Character.isWhitespace(c)) {
      if (!word.isEmpty()) flush();
      spaces.appendCodePoint(c);
    } else {
      int wide = Math.max(0, columns.applyAsInt(c));
      word.appendCodePoint(c);
      wordColumns += wide;
      // Scripts of wide characters have no spaces and may be broken anywhere; so must be a word
      // that fills a line.
      if (wide > 1 || width > 0 && wordColumns >= width) flush();
    }
  }

  /** Writes what is held back; the next text goes on behind it. */
  void flush() {
    int gap = spaces.length();
    if (width > 0 && column > 0 && column + gap + wordColumns > width && !word.isEmpty()) {
      out.accept("\n");
      column = 0;
      gap = 0;
      spaces.setLength(0);
    }
    out.accept(spaces.toString() + word);
    column += gap + wordColumns;
    spaces.setLength(0);
    word.setLength(0);
    wordColumns = 0;
  }

  /** Ends the line. */
  void end() {
    flush();
    column = 0;
  }
}
