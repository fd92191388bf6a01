package weft.chat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.text.tokenizer.Span;

/**
 * Marks what users wrote so that no template around it can turn it into control tokens: next to a
 * character of each control token that a text spells, begins at its end, or finishes at its
 * beginning. In the prompt that a template makes of marked texts, those characters are then known.
 */
final class ControlMarks {
  /**
   * Noncharacters, so no text contains them for a purpose; and no white space, so that a template
   * that trims a text trims it as before. One stands behind a user's character, one before it.
   */
  private static final char BEHIND = '\uFDD0';

  private static final char BEFORE = '\uFDD1';
  private static final char REPLACEMENT = '\uFFFD';

  /** Marks nothing. */
  static final ControlMarks NONE = new ControlMarks(List.of());

  private final Tree forwards = new Tree();
  private final Tree backwards = new Tree();
  private final int longest;

  ControlMarks(Collection<String> controlTokens) {
    for (var token : controlTokens) {
      forwards.add(token);
      backwards.add(new StringBuilder(token).reverse().toString());
    }
    this.longest = controlTokens.stream().mapToInt(String::length).max().orElse(0);
  }

  /** The same text where there is nothing to mark. */
  String mark(String text) {
    var clean =
        text.replace(BEHIND, REPLACEMENT)
            .replace(BEFORE, REPLACEMENT)
            .replace(Sights.PLACE, REPLACEMENT);
    int end = clean.stripTrailing().length();
    int finish = finish(clean);
    var marked = new StringBuilder();
    int copied = 0;
    for (int i = 0; i < end; i++) {
      if (i == finish) {
        marked.append(clean, copied, i).append(BEFORE);
        copied = i;
      }
      if (begins(clean, i, end)) {
        marked.append(clean, copied, i + 1).append(BEHIND);
        copied = i + 1;
      }
    }
    return copied == 0 && marked.isEmpty()
        ? clean
        : marked.append(clean, copied, clean.length()).toString();
  }

  /** Whether a control token starts here, or what could become one behind the end. */
  private boolean begins(String text, int at, int end) {
    int node = Tree.ROOT;
    for (int i = at; i < end; i++) {
      node = forwards.child(node, text.charAt(i));
      if (node == Tree.NONE) return false;
      if (forwards.isEnd(node)) return true;
    }
    return true;
  }

  /** The last character of a control token that could have begun before the text; -1 for none. */
  private int finish(String text) {
    int start = text.length() - text.stripLeading().length();
    for (int end = Math.min(text.length(), start + longest - 1); end > start; end--) {
      int node = Tree.ROOT;
      for (int i = end - 1; i >= start && node != Tree.NONE; i--) {
        node = backwards.child(node, text.charAt(i));
      }
      if (node != Tree.NONE) return end - 1;
    }
    return -1;
  }

  /** A prompt without its marks, and the users' characters that they were next to. */
  record Unmarked(String text, List<Span> spans) {
    /** The part from a character on. */
    Unmarked from(int start) {
      var shifted = new ArrayList<Span>();
      for (var span : spans) {
        if (span.end() > start) {
          shifted.add(new Span(Math.max(0, span.start() - start), span.end() - start));
        }
      }
      return new Unmarked(text.substring(start), shifted);
    }
  }

  static Unmarked unmark(String prompt) {
    var text = new StringBuilder(prompt.length());
    var spans = new ArrayList<Span>();
    for (int i = 0; i < prompt.length(); i++) {
      switch (prompt.charAt(i)) {
        // A template that cuts a text may leave a mark without its character.
        case BEHIND -> spans.add(new Span(Math.max(0, text.length() - 1), text.length()));
        case BEFORE -> spans.add(new Span(text.length(), text.length() + 1));
        default -> text.append(prompt.charAt(i));
      }
    }
    return new Unmarked(text.toString(), spans);
  }

  /** Words as a tree of their characters. */
  private static final class Tree {
    private static final int ROOT = 0;
    private static final int NONE = -1;

    private final Map<Long, Integer> children = new HashMap<>();
    private final List<Boolean> ends = new ArrayList<>(List.of(false));

    void add(String word) {
      int node = ROOT;
      for (int i = 0; i < word.length(); i++) {
        node =
            children.computeIfAbsent(
                key(node, word.charAt(i)),
                k -> {
                  ends.add(false);
                  return ends.size() - 1;
                });
      }
      ends.set(node, true);
    }

    int child(int node, char c) {
      return children.getOrDefault(key(node, c), NONE);
    }

    boolean isEnd(int node) {
      return ends.get(node);
    }

    private static long key(int node, char c) {
      return (long) node << Character.SIZE | c;
    }
  }
}
