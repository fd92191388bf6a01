package weft.constrain;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Turns expressions over characters into residuals over bytes, each once. */
final class Lowering {
  /** Where literals differ this often on one path, they are left apart. */
  private static final int DEEPEST_BRANCH = 250;

  private final Residuals residuals;
  private final Utf8 utf8;
  private final Map<Regex, Residual> made = new IdentityHashMap<>();

  Lowering(Residuals residuals) {
    this.residuals = residuals;
    this.utf8 = new Utf8(residuals);
  }

  Residual lower(Regex regex) {
    var known = made.get(regex);
    if (known != null) return known;
    var lowered =
        switch (regex) {
          case Regex.Characters(var set) -> utf8.one(set);
          case Regex.Text(var text) -> residuals.text(bytes(text), 0);
          case Regex.Sequence(var parts) -> {
            var sequence = residuals.empty;
            for (var part : parts.reversed()) {
              sequence = residuals.sequence(lower(part), sequence);
            }
            yield sequence;
          }
          case Regex.AnyOf(var parts) -> anyOf(parts);
          case Regex.AllOf(var parts) -> {
            var all = new ArrayList<Residual>();
            all.add(residuals.anyText);
            for (var part : parts) all.add(lower(part));
            yield residuals.all(all.toArray(Residual[]::new));
          }
          case Regex.Not(var part) -> residuals.all(residuals.anyText, residuals.not(lower(part)));
          case Regex.Repeat(var part, int least, int greatest) ->
              residuals.repeat(lower(part), least, greatest);
        };
    made.put(regex, lowered);
    return lowered;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Residual anyOf(List<Regex> parts) {
    var ways = new ArrayList<Residual>();
    var texts = new ArrayList<byte[]>();
    for (var part : parts) {
      if (part instanceof Regex.Text(var text)) texts.add(bytes(text));
      else ways.add(lower(part));
    }
    if (!texts.isEmpty()) {
      texts.sort(Arrays::compareUnsigned);
      ways.add(branches(texts, 0, texts.size(), 0, 0));
    }
    return residuals.any(ways.toArray(Residual[]::new));
  }

  /** Sorted literals from a place on, their common beginnings once. */
  private Residual branches(List<byte[]> texts, int from, int to, int start, int level) {
    if (to - from == 1) return residuals.text(texts.get(from), start);
    if (level > DEEPEST_BRANCH) {
      var ways = new ArrayList<Residual>();
      for (var text : texts.subList(from, to)) ways.add(residuals.text(text, start));
      return residuals.any(ways.toArray(Residual[]::new));
    }
    byte[] first = texts.get(from);
    byte[] last = texts.get(to - 1);
    int end = start;
    while (end < first.length && end < last.length && first[end] == last[end]) end++;
    var ways = new ArrayList<Residual>();
    int at = from;
    while (at < to && texts.get(at).length == end) at++;
    if (at > from) ways.add(residuals.empty);
    while (at < to) {
      int next = at + 1;
      while (next < to && texts.get(next)[end] == texts.get(at)[end]) next++;
      ways.add(
          residuals.sequence(
              residuals.bytes(ByteSet.of(texts.get(at)[end] & 0xFF)),
              branches(texts, at, next, end + 1, level + 1)));
      at = next;
    }
    var rest = residuals.any(ways.toArray(Residual[]::new));
    return residuals.sequence(residuals.text(Arrays.copyOfRange(first, start, end), 0), rest);
  }
}
