package weft.chat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a text tells that a call has begun, for models that have no token for it.
 *
 * @param first the character that it begins with
 * @param isOnLine whether it begins a line
 * @param begun finds that it has
 */
record CallBeginning(char first, boolean isOnLine, Pattern begun) {
  /** A mark that is written out; or where there is none, an object that names one of the tools. */
  static CallBeginning of(CallFormat format, List<Tool> tools) {
    if (format.mark().isPresent()) {
      var mark = format.mark().get();
      return new CallBeginning(mark.charAt(0), false, Pattern.compile(Pattern.quote(mark)));
    }
    var names =
        tools.stream()
            .map(tool -> Pattern.quote(JsonValues.text(tool.name())))
            .collect(Collectors.joining("|"));
    return new CallBeginning(
        '{', true, Pattern.compile("\\{\\s?\"name\"\\s?:\\s?(?:" + names + ")"));
  }

  boolean hasBegun(CharSequence text) {
    return begun.matcher(text).lookingAt();
  }
}
