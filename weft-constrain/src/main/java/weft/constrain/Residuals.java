package weft.constrain;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import weft.constrain.Residual.Kind;

/**
 * Makes residuals, each once and without what is superfluous: few of them differ, so that what
 * follows a byte is mostly known. Of one thread at a time.
 */
final class Residuals {
  /** Beyond it, to search an expression would go too deep. */
  private static final int DEEPEST = 1_000;

  private static final byte[] NO_TEXT = {};

  private final Effort effort;
  private final Room room;
  private final Map<Residual, Residual> made = new HashMap<>();
  final Residual nothing;
  final Residual empty;

  /** Every text that is UTF-8. */
  final Residual anyText;

  /** One character. */
  final Residual anyCharacter;

  Residuals(Effort effort, Room room) {
    this.effort = effort;
    this.room = room;
    this.nothing = make(Kind.NOTHING, Residual.NO_PARTS, ByteSet.EMPTY, NO_TEXT, 0, 0);
    this.empty = make(Kind.EMPTY, Residual.NO_PARTS, ByteSet.EMPTY, NO_TEXT, 0, 0);
    this.anyCharacter = new Utf8(this).anyCharacter();
    this.anyText = repeat(anyCharacter, 0, Regex.UNBOUNDED);
  }

  private Residual make(
      Kind kind, Residual[] parts, ByteSet set, byte[] text, int least, int greatest) {
    effort.spend(1 + parts.length / 8);
    var fresh = new Residual(kind, parts, set, text, least, greatest, made.size());
    var known = made.putIfAbsent(fresh, fresh);
    if (known != null) return known;
    if (fresh.depth > DEEPEST) {
      throw new ConstrainException(
          "an expression with more than "
              + DEEPEST
              + " optional parts behind or in each other; make it simpler");
    }
    room.take(24 + parts.length);
    return fresh;
  }

  Residual bytes(ByteSet set) {
    return set.isEmpty() ? nothing : make(Kind.BYTES, Residual.NO_PARTS, set, NO_TEXT, 0, 0);
  }

  /** The rest of a literal from a place on. Equal literals are one where they are one array. */
  Residual text(byte[] text, int from) {
    return from == text.length
        ? empty
        : make(Kind.TEXT, Residual.NO_PARTS, ByteSet.EMPTY, text, from, 0);
  }

  Residual sequence(Residual first, Residual second) {
    if (first == nothing || second == nothing) return nothing;
    if (first == empty) return second;
    if (second == empty) return first;
    if (first.kind == Kind.SEQUENCE) {
      return sequence(first.parts[0], sequence(first.parts[1], second));
    }
    return make(Kind.SEQUENCE, new Residual[] {first, second}, ByteSet.EMPTY, NO_TEXT, 0, 0);
  }

  Residual repeat(Residual part, int least, int greatest) {
    if (greatest == 0 || part == empty) return empty;
    if (part == nothing) return least == 0 ? empty : nothing;
    if (part.isNullable) least = 0;
    if (least == 1 && greatest == 1) return part;
    if (part.kind == Kind.REPEAT) {
      // Counts without gaps multiply.
      boolean isDense = part.least <= 1 || (part.greatest == Regex.UNBOUNDED && least >= 1);
      if (isDense) {
        long low = (long) part.least * least;
        long high =
            part.greatest == Regex.UNBOUNDED || greatest == Regex.UNBOUNDED
                ? Regex.UNBOUNDED
                : (long) part.greatest * greatest;
        if (high == Regex.UNBOUNDED || high < Regex.UNBOUNDED) {
          if (low < Regex.UNBOUNDED) return repeat(part.parts[0], (int) low, (int) high);
        }
      }
    }
    return make(Kind.REPEAT, new Residual[] {part}, ByteSet.EMPTY, NO_TEXT, least, greatest);
  }

  Residual not(Residual part) {
    return part.kind == Kind.NOT
        ? part.parts[0]
        : make(Kind.NOT, new Residual[] {part}, ByteSet.EMPTY, NO_TEXT, 0, 0);
  }

  Residual any(Residual... parts) {
    if (parts.length == 2 && parts[0] == parts[1]) return parts[0];
    int count = 0;
    for (var part : parts) count += part.kind == Kind.ANY ? part.parts.length : 1;
    var flat = new Residual[count];
    count = 0;
    var bytes = ByteSet.EMPTY;
    for (var part : parts) {
      if (part == anyText) return anyText;
      if (part.kind == Kind.ANY) {
        for (var inner : part.parts) {
          if (inner.kind == Kind.BYTES) bytes = bytes.or(inner.set);
          else flat[count++] = inner;
        }
      } else if (part.kind == Kind.BYTES) {
        bytes = bytes.or(part.set);
      } else if (part != nothing) {
        flat[count++] = part;
      }
    }
    if (!bytes.isEmpty()) flat[count++] = bytes(bytes);
    return several(Kind.ANY, flat, count, nothing);
  }

  Residual all(Residual... parts) {
    if (parts.length == 2 && parts[0] == parts[1]) return parts[0];
    int count = 0;
    for (var part : parts) count += part.kind == Kind.ALL ? part.parts.length : 1;
    var flat = new Residual[count];
    count = 0;
    boolean isPositive = false;
    for (var part : parts) {
      if (part == nothing) return nothing;
      if (part.kind == Kind.NOT && part.parts[0] == nothing) continue;
      for (var inner : part.kind == Kind.ALL ? part.parts : new Residual[] {part}) {
        flat[count++] = inner;
        isPositive |= inner.kind != Kind.NOT && inner != anyText;
      }
    }
    if (isPositive) {
      // Any text adds nothing to what is UTF-8 already.
      int kept = 0;
      for (int i = 0; i < count; i++) if (flat[i] != anyText) flat[kept++] = flat[i];
      count = kept;
    }
    for (int i = 0; i < count; i++) {
      if (flat[i] == empty) {
        for (int j = 0; j < count; j++) if (!flat[j].isNullable) return nothing;
        return empty;
      }
      if (flat[i].kind == Kind.NOT) {
        for (int j = 0; j < count; j++) if (flat[j] == flat[i].parts[0]) return nothing;
      }
    }
    return several(Kind.ALL, flat, count, anyText);
  }

  private Residual several(Kind kind, Residual[] flat, int count, Residual none) {
    if (count == 0) return none;
    effort.spend(count);
    Arrays.sort(flat, 0, count, Comparator.comparingInt(r -> r.id));
    int kept = 1;
    for (int i = 1; i < count; i++) if (flat[i] != flat[kept - 1]) flat[kept++] = flat[i];
    return kept == 1
        ? flat[0]
        : make(kind, Arrays.copyOf(flat, kept), ByteSet.EMPTY, NO_TEXT, 0, 0);
  }

  /** What is left of an expression behind a byte. */
  Residual after(Residual r, int value) {
    return switch (r.kind) {
      case NOTHING, EMPTY -> nothing;
      case BYTES -> r.set.contains(value) ? empty : nothing;
      case TEXT -> (r.text[r.least] & 0xFF) == value ? text(r.text, r.least + 1) : nothing;
      case SEQUENCE -> {
        var first = r.parts[0];
        if (first.kind == Kind.BYTES) yield first.set.contains(value) ? r.parts[1] : nothing;
        if (first.kind == Kind.TEXT && (first.text[first.least] & 0xFF) != value) yield nothing;
        yield remembered(r, value);
      }
      case ANY, ALL, NOT, REPEAT -> remembered(r, value);
    };
  }

  private Residual remembered(Residual r, int value) {
    int same = r.borders.floor(value);
    if (r.next.length == 0) {
      r.next = new Residual[256];
      room.take(128);
    }
    var known = r.next[same];
    if (known != null) return known;
    effort.spend(1);
    var found =
        switch (r.kind) {
          case SEQUENCE -> {
            var first = sequence(after(r.parts[0], same), r.parts[1]);
            yield r.parts[0].isNullable ? any(first, after(r.parts[1], same)) : first;
          }
          case ANY -> any(each(r.parts, same));
          case ALL -> all(each(r.parts, same));
          case NOT -> not(after(r.parts[0], same));
          case REPEAT -> {
            var rest =
                repeat(
                    r.parts[0],
                    Math.max(0, r.least - 1),
                    r.greatest == Regex.UNBOUNDED ? Regex.UNBOUNDED : r.greatest - 1);
            yield sequence(after(r.parts[0], same), rest);
          }
          case NOTHING, EMPTY, BYTES, TEXT -> throw new IllegalStateException("told at once");
        };
    r.next[same] = found;
    return found;
  }

  private Residual[] each(Residual[] parts, int value) {
    effort.spend(parts.length);
    var after = new Residual[parts.length];
    for (int i = 0; i < parts.length; i++) after[i] = after(parts[i], value);
    return after;
  }
}
