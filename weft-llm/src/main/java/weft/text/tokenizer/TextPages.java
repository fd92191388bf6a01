package weft.text.tokenizer;

import java.util.Arrays;

/**
 * Texts with an id each, in pages of bytes: a vocabulary of hundreds of thousands is so a few dozen
 * objects, and a fifth of what as many strings take.
 *
 * <p>A character takes one to three bytes, like UTF-8, but half a surrogate pair counts as a
 * character: tokens may be cut there.
 */
final class TextPages {
  private static final int WIDEST = 3;
  private static final int TWO_BYTES = 0x80;
  private static final int THREE_BYTES = 0x800;

  /** In front of a text: its length in bytes in two, and its id in three. */
  private static final int HEADER = 5;

  /** Characters whose bytes are counted in two bytes, whatever they are. */
  static final int LONGEST = 0xFFFF / WIDEST;

  /** A place is the number of a page above the offset in it; the longest text fits in a page. */
  private static final int PAGE_BITS = 17;

  private static final int PAGE = 1 << PAGE_BITS;

  private byte[][] pages = {new byte[PAGE]};

  /** Behind the last text. */
  private int end;

  /**
   * Adds a text of at most {@link #LONGEST} characters, without an id yet, and returns its place.
   */
  int add(char[] text) {
    int room = HEADER + WIDEST * text.length;
    if (offset(end) + room > PAGE || end >>> PAGE_BITS == pages.length) {
      end = pages.length << PAGE_BITS;
      pages = Arrays.copyOf(pages, pages.length + 1);
      pages[pages.length - 1] = new byte[PAGE];
    }
    int place = end;
    byte[] page = page(place);
    int start = start(place);
    int at = start;
    for (char c : text) {
      at = write(page, at, c);
    }
    page[offset(place)] = (byte) (at - start >>> 8);
    page[offset(place) + 1] = (byte) (at - start);
    end = place + HEADER + at - start;
    return place;
  }

  private static int write(byte[] page, int at, char c) {
    if (c < TWO_BYTES) {
      page[at] = (byte) c;
      return at + 1;
    }
    if (c < THREE_BYTES) {
      page[at] = (byte) (0xC0 | c >>> 6);
      page[at + 1] = (byte) (0x80 | c & 0x3F);
      return at + 2;
    }
    page[at] = (byte) (0xE0 | c >>> 12);
    page[at + 1] = (byte) (0x80 | c >>> 6 & 0x3F);
    page[at + 2] = (byte) (0x80 | c & 0x3F);
    return at + 3;
  }

  private static char read(byte[] page, int at) {
    int first = page[at];
    return switch (width(first)) {
      case 1 -> (char) first;
      case 2 -> (char) ((first & 0x1F) << 6 | page[at + 1] & 0x3F);
      default -> (char) ((first & 0x0F) << 12 | (page[at + 1] & 0x3F) << 6 | page[at + 2] & 0x3F);
    };
  }

  private static int width(int first) {
    if (first >= 0) return 1;
    return (first & 0xE0) == 0xC0 ? 2 : 3;
  }

  private static boolean isFirst(byte b) {
    return (b & 0xC0) != 0x80;
  }

  void name(int place, int id) {
    byte[] page = page(place);
    int at = offset(place);
    page[at + 2] = (byte) (id >>> 16);
    page[at + 3] = (byte) (id >>> 8);
    page[at + 4] = (byte) id;
  }

  int id(int place) {
    byte[] page = page(place);
    int at = offset(place);
    return (page[at + 2] & 0xFF) << 16 | (page[at + 3] & 0xFF) << 8 | page[at + 4] & 0xFF;
  }

  boolean isEmpty(int place) {
    return bytes(place) == 0;
  }

  boolean isOneCharacter(int place) {
    return !isEmpty(place) && width(page(place)[start(place)]) == bytes(place);
  }

  char first(int place) {
    return read(page(place), start(place));
  }

  char last(int place) {
    byte[] page = page(place);
    int at = start(place) + bytes(place) - 1;
    while (!isFirst(page[at])) at--;
    return read(page, at);
  }

  char[] text(int place) {
    byte[] page = page(place);
    int stop = start(place) + bytes(place);
    int length = 0;
    var text = new char[bytes(place)];
    for (int at = start(place); at < stop; at += width(page[at])) text[length++] = read(page, at);
    return length == text.length ? text : Arrays.copyOf(text, length);
  }

  boolean isAt(int place, char[] text, int start, int end) {
    int bytes = bytes(place);
    int length = end - start;
    // Most places that are asked about hold something else, and most of those another length.
    if (bytes < length || bytes > WIDEST * length) return false;
    byte[] page = page(place);
    int at = start(place);
    int stop = at + bytes;
    for (int i = start; i < end; i++) {
      if (at == stop) return false;
      int first = page[at];
      if (first >= 0) {
        if (first != text[i]) return false;
        at++;
      } else {
        if (read(page, at) != text[i]) return false;
        at += width(first);
      }
    }
    return at == stop;
  }

  private int bytes(int place) {
    byte[] page = page(place);
    return (page[offset(place)] & 0xFF) << 8 | page[offset(place) + 1] & 0xFF;
  }

  private byte[] page(int place) {
    return pages[place >>> PAGE_BITS];
  }

  private static int start(int place) {
    return offset(place) + HEADER;
  }

  private static int offset(int place) {
    return place & PAGE - 1;
  }
}
