package weft.text.tokenizer;

import java.util.function.UnaryOperator;

/** The stages that decoders open. */
final class DecoderStages {
  private DecoderStages() {}

  /** Maps each token by itself. */
  record Mapping(UnaryOperator<String> mapping, Decoder.Stage next) implements Decoder.Stage {
    @Override
    public void accept(String token) {
      next.accept(mapping.apply(token));
    }

    @Override
    public void finish() {
      next.finish();
    }
  }

  /** Collects a text that comes in parts and passes it on as one. */
  static final class Whole implements Decoder.Stage {
    private final Decoder.Stage next;
    private final StringBuilder text = new StringBuilder();

    Whole(Decoder.Stage next) {
      this.next = next;
    }

    @Override
    public void accept(String part) {
      text.append(part);
    }

    @Override
    public void finish() {
      next.accept(text.toString());
      text.setLength(0);
      next.finish();
    }
  }

  /** Puts a separator between tokens. */
  static final class Joining implements Decoder.Stage {
    private final String separator;
    private final Decoder.Stage next;
    private boolean started;

    Joining(String separator, Decoder.Stage next) {
      this.separator = separator;
      this.next = next;
    }

    @Override
    public void accept(String token) {
      next.accept(started ? separator + token : token);
      started = true;
    }

    @Override
    public void finish() {
      started = false;
      next.finish();
    }
  }

  /** Reads tokens as bytes; a token with a character outside the alphabet stands for itself. */
  static final class Bytes implements Decoder.Stage {
    private final Decoder.Stage next;
    private final Utf8Assembler utf8 = new Utf8Assembler(Utf8Assembler.Broken.PER_SEQUENCE);
    private final StringBuilder out = new StringBuilder();

    Bytes(Decoder.Stage next) {
      this.next = next;
    }

    @Override
    public void accept(String token) {
      for (byte b : ByteAlphabet.read(token)) {
        utf8.add(b & 0xFF, out);
      }
      pass();
    }

    @Override
    public void finish() {
      utf8.flush(out);
      pass();
      next.finish();
    }

    private void pass() {
      if (!out.isEmpty()) {
        next.accept(out.toString());
        out.setLength(0);
      }
    }
  }

  /**
   * Reads runs of byte tokens. The reference replaces every byte of a run that is not valid as a
   * whole; a stream cannot know that in time, so here the characters that are whole stay, and each
   * byte that belongs to none is replaced.
   */
  static final class ByteRuns implements Decoder.Stage {
    private final Decoder.Stage next;
    private final Utf8Assembler utf8 = new Utf8Assembler(Utf8Assembler.Broken.PER_BYTE);
    private final StringBuilder out = new StringBuilder();

    ByteRuns(Decoder.Stage next) {
      this.next = next;
    }

    @Override
    public void accept(String token) {
      int value = ByteTokens.value(token);
      if (value >= 0) {
        utf8.add(value, out);
        pass();
      } else {
        utf8.flush(out);
        pass();
        next.accept(token);
      }
    }

    @Override
    public void finish() {
      utf8.flush(out);
      pass();
      next.finish();
    }

    private void pass() {
      if (!out.isEmpty()) {
        next.accept(out.toString());
        out.setLength(0);
      }
    }
  }

  /** Takes characters off the start of a text that comes in parts. */
  static final class LeftStrip implements Decoder.Stage {
    private final Decoder.Strip strip;
    private final Decoder.Stage next;
    private int left;

    LeftStrip(Decoder.Strip strip, Decoder.Stage next) {
      this.strip = strip;
      this.next = next;
      this.left = strip.left();
    }

    @Override
    public void accept(String part) {
      int start = 0;
      while (left > 0 && start < part.length()) {
        if (part.codePointAt(start) == strip.character()) {
          start += Character.charCount(strip.character());
          left--;
        } else {
          left = 0;
        }
      }
      next.accept(part.substring(start));
    }

    @Override
    public void finish() {
      left = strip.left();
      next.finish();
    }
  }

  /** Maps the first token differently. */
  static final class FirstDiffers implements Decoder.Stage {
    private final UnaryOperator<String> first;
    private final UnaryOperator<String> others;
    private final Decoder.Stage next;
    private boolean started;

    FirstDiffers(UnaryOperator<String> first, UnaryOperator<String> others, Decoder.Stage next) {
      this.first = first;
      this.others = others;
      this.next = next;
    }

    @Override
    public void accept(String token) {
      next.accept((started ? others : first).apply(token));
      started = true;
    }

    @Override
    public void finish() {
      started = false;
      next.finish();
    }
  }

  /** Maps the last token differently, and so holds each back until another one comes. */
  static final class LastDiffers implements Decoder.Stage {
    private final UnaryOperator<String> others;
    private final UnaryOperator<String> last;
    private final Decoder.Stage next;
    private String held = "";
    private boolean holding;

    LastDiffers(UnaryOperator<String> others, UnaryOperator<String> last, Decoder.Stage next) {
      this.others = others;
      this.last = last;
      this.next = next;
    }

    @Override
    public void accept(String token) {
      if (holding) {
        next.accept(others.apply(held));
      }
      held = token;
      holding = true;
    }

    @Override
    public void finish() {
      if (holding) {
        next.accept(last.apply(held));
        holding = false;
      }
      next.finish();
    }
  }

  /** The last stage: collects the text. */
  record Collected(StringBuilder text) implements Decoder.Stage {
    @Override
    public void accept(String token) {
      text.append(token);
    }

    @Override
    public void finish() {}
  }
}
