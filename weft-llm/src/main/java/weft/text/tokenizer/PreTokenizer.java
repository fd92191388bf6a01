package weft.text.tokenizer;

import java.util.List;
import weft.text.regex.Effort;
import weft.text.regex.Regex;

/** Cuts text into the pieces that the model encodes one by one. */
sealed interface PreTokenizer {
  PreTokenizer NONE = new Chain(List.of());

  /** GPT-2's own pattern, which byte-level pre-tokenizers use unless they bring another. */
  String GPT2_PATTERN =
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

  Pieces apply(Pieces pieces, Effort effort);

  /** Several pre-tokenizers, each working on the pieces of the one before. */
  record Chain(List<PreTokenizer> steps) implements PreTokenizer {
    @Override
    public Pieces apply(Pieces pieces, Effort effort) {
      Pieces result = pieces;
      for (PreTokenizer step : steps) {
        effort.pay(result.text().length);
        result = step.apply(result, effort);
        Growth.check(pieces.text().length, result.text().length);
      }
      return result;
    }
  }

  /** Cuts at what a finder finds. */
  record Split(Finder finder, Delimiters delimiters, Sense sense) implements PreTokenizer {
    /** Whether the delimiters are the matches or what lies between them. */
    enum Sense {
      MATCHES,
      GAPS
    }

    /** Cuts around each match of a pattern. */
    static Split isolating(String pattern) {
      return new Split(new Finder.Pattern(Regex.of(pattern)), Delimiters.ISOLATED, Sense.MATCHES);
    }

    @Override
    public Pieces apply(Pieces pieces, Effort effort) {
      var cut = new Pieces.Builder(pieces.text());
      for (int i = 0; i < pieces.count(); i++) {
        split(pieces, i, effort, cut);
      }
      return pieces.with(cut);
    }

    private void split(Pieces pieces, int piece, Effort effort, Pieces.Builder cut) {
      var splitter = delimiters.open(cut);
      boolean matchIsDelimiter = sense == Sense.MATCHES;
      int[] last = {pieces.start(piece)};
      finder.findAll(
          pieces.text(),
          pieces.start(piece),
          pieces.end(piece),
          effort,
          (start, end) -> {
            if (last[0] < start) {
              splitter.part(last[0], start, !matchIsDelimiter);
            }
            splitter.part(start, end, matchIsDelimiter);
            last[0] = end;
          });
      if (last[0] < pieces.end(piece)) {
        splitter.part(last[0], pieces.end(piece), !matchIsDelimiter);
      }
      splitter.finish();
    }
  }

  /** Puts a space in front of each piece that does not start with one. */
  record PrefixSpace() implements PreTokenizer {
    @Override
    public Pieces apply(Pieces pieces, Effort effort) {
      return pieces.rewritten(
          (text, start, end, out) -> {
            if (text[start] != ' ') {
              out.append(' ');
            }
            out.append(text, start, end - start);
          });
    }
  }

  /** Writes each piece's bytes in the {@link ByteAlphabet}. */
  record ByteLevel() implements PreTokenizer {
    @Override
    public Pieces apply(Pieces pieces, Effort effort) {
      int length = 0;
      for (int i = 0; i < pieces.count(); i++) {
        length += pieces.end(i) - pieces.start(i);
      }
      char[] target = ByteAlphabet.room(length);
      var rewritten = new Pieces.Builder(target);
      int position = 0;
      for (int i = 0; i < pieces.count(); i++) {
        int start = position;
        position =
            ByteAlphabet.write(pieces.text(), pieces.start(i), pieces.end(i), target, position);
        rewritten.add(start, position);
      }
      return pieces.replaced(rewritten);
    }
  }

  /** Writes spaces as a visible mark, and puts one in front of the pieces that a scheme names. */
  record Metaspace(String mark, Prepend prepend) implements PreTokenizer {
    /** Which pieces get a mark in front unless they have one. */
    enum Prepend {
      ALL,
      FIRST,
      NONE
    }

    @Override
    public Pieces apply(Pieces pieces, Effort effort) {
      return pieces.rewritten(
          (text, start, end, out) -> {
            int first = out.length();
            for (int i = start; i < end; i++) {
              if (text[i] == ' ') {
                out.append(mark);
              } else {
                out.append(text[i]);
              }
            }
            if (isWanted(pieces.isLeading(start)) && out.indexOf(mark, first) != first) {
              out.insert(first, mark);
            }
          });
    }

    private boolean isWanted(boolean leading) {
      return switch (prepend) {
        case ALL -> true;
        case FIRST -> leading;
        case NONE -> false;
      };
    }
  }
}
