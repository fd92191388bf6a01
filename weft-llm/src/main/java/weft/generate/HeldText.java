package weft.generate;

import java.util.List;
import java.util.Optional;

/**
 * Lets text through until a stop string is complete, holding back what may be the beginning of one.
 * What comes out does not depend on how the text was cut into pieces.
 */
final class HeldText {
  private final List<String> stops;
  private final StringBuilder held = new StringBuilder();
  private Optional<String> stop = Optional.empty();

  HeldText(List<String> stops) {
    this.stops = stops;
  }

  boolean isStopped() {
    return stop.isPresent();
  }

  /** The stop string that is complete. */
  Optional<String> stop() {
    return stop;
  }

  /** The text that is now certain to be output. */
  String add(String text) {
    if (isStopped() || stops.isEmpty()) {
      return isStopped() ? "" : text;
    }
    for (int i = 0; i < text.length(); i++) {
      held.append(text.charAt(i));
      int match = longestStopAtEnd();
      if (match > 0) {
        stop = Optional.of(held.substring(held.length() - match));
        return take(held.length() - match);
      }
    }
    return take(held.length() - longestBeginningAtEnd());
  }

  /** What was held back, now that no more text comes. */
  String release() {
    return isStopped() ? "" : take(held.length());
  }

  private String take(int length) {
    String text = held.substring(0, length);
    held.delete(0, length);
    return text;
  }

  private int longestStopAtEnd() {
    int longest = 0;
    for (String stop : stops) {
      if (stop.length() > longest && endsWith(stop, stop.length())) {
        longest = stop.length();
      }
    }
    return longest;
  }

  private int longestBeginningAtEnd() {
    int longest = 0;
    for (String stop : stops) {
      for (int length = Math.min(stop.length() - 1, held.length()); length > longest; length--) {
        if (endsWith(stop, length)) {
          longest = length;
        }
      }
    }
    return longest;
  }

  private boolean endsWith(String stop, int length) {
    int start = held.length() - length;
    if (start < 0) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (held.charAt(start + i) != stop.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
