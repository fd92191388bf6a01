package weft.text.tokenizer;

import java.util.List;
import weft.text.regex.Effort;

/** Turns tokens back into text, token by token. */
sealed interface Decoder {
  /** Without a decoder, tokens are words. */
  Decoder SPACED = new Joined(" ");

  /** A stage that treats tokens one by one and passes its results on. */
  Stage open(Stage next);

  /** Whether what this decoder passes on is one text in parts, no longer tokens. */
  default boolean fuses() {
    return false;
  }

  /**
   * A stage that sees one text in parts; unless a decoder can work on parts, it waits for the
   * whole.
   */
  default Stage openFused(Stage next) {
    return new DecoderStages.Whole(open(next));
  }

  /** Part of a decoding in progress. */
  interface Stage {
    void accept(String token);

    /** No more tokens come: passes on what was held back, and is ready for the next text. */
    void finish();
  }

  /** Several decoders, each working on the result of the one before. */
  record Chain(List<Decoder> steps) implements Decoder {
    @Override
    public Stage open(Stage next) {
      return open(next, false);
    }

    @Override
    public Stage openFused(Stage next) {
      return open(next, true);
    }

    private Stage open(Stage next, boolean fusedBefore) {
      boolean[] fused = new boolean[steps.size() + 1];
      fused[0] = fusedBefore;
      for (int i = 0; i < steps.size(); i++) {
        fused[i + 1] = fused[i] || steps.get(i).fuses();
      }
      Stage stage = next;
      for (int i = steps.size() - 1; i >= 0; i--) {
        stage = fused[i] ? steps.get(i).openFused(stage) : steps.get(i).open(stage);
      }
      return stage;
    }

    @Override
    public boolean fuses() {
      return steps.stream().anyMatch(Decoder::fuses);
    }
  }

  /** Tokens with something between them. */
  record Joined(String separator) implements Decoder {
    @Override
    public Stage open(Stage next) {
      return new DecoderStages.Joining(separator, next);
    }
  }

  /** Characters of the {@link ByteAlphabet} back to bytes, and those to text. */
  record ByteLevel() implements Decoder {
    @Override
    public Stage open(Stage next) {
      return new DecoderStages.Bytes(next);
    }

    @Override
    public boolean fuses() {
      return true;
    }
  }

  /** Byte tokens to text; a byte that belongs to no character becomes a replacement character. */
  record ByteFallback() implements Decoder {
    @Override
    public Stage open(Stage next) {
      return new DecoderStages.ByteRuns(next);
    }
  }

  /** All tokens are one text from here on. */
  record Fuse() implements Decoder {
    @Override
    public Stage open(Stage next) {
      return next;
    }

    @Override
    public Stage openFused(Stage next) {
      return next;
    }

    @Override
    public boolean fuses() {
      return true;
    }
  }

  /** Replaces what a finder finds in a token. */
  record Replace(Finder finder, String replacement) implements Decoder {
    @Override
    public Stage open(Stage next) {
      var effort = Effort.on(0);
      return new DecoderStages.Mapping(
          token -> {
            effort.extend(token.length());
            return finder.replaceAll(token, replacement, effort);
          },
          next);
    }
  }

  /** Takes up to so many of a character off both ends of a token. */
  record Strip(int character, int left, int right) implements Decoder {
    @Override
    public Stage open(Stage next) {
      return new DecoderStages.Mapping(this::strip, next);
    }

    @Override
    public Stage openFused(Stage next) {
      return right == 0 ? new DecoderStages.LeftStrip(this, next) : Decoder.super.openFused(next);
    }

    private String strip(String token) {
      int width = Character.charCount(character);
      int start = 0;
      for (int i = 0; i < left && start < token.length(); i++) {
        if (token.codePointAt(start) != character) {
          break;
        }
        start += width;
      }
      int end = token.length();
      for (int i = 0; i < right && end > start; i++) {
        if (token.codePointBefore(end) != character) {
          break;
        }
        end -= width;
      }
      return token.substring(start, end);
    }
  }

  /** Space marks to spaces; those of the first token vanish where encoding has added one there. */
  record Metaspace(String mark, First first) implements Decoder {
    /** What the marks of the first token become. */
    enum First {
      REMOVED,
      SPACES
    }

    @Override
    public Stage open(Stage next) {
      return new DecoderStages.FirstDiffers(
          token -> token.replace(mark, first == First.REMOVED ? "" : " "),
          token -> token.replace(mark, " "),
          next);
    }
  }

  /** A suffix at the end of words to a space, but not after the last one. */
  record WordSuffix(String suffix) implements Decoder {
    @Override
    public Stage open(Stage next) {
      return new DecoderStages.LastDiffers(
          token -> token.replace(suffix, " "), token -> token.replace(suffix, ""), next);
    }
  }
}
