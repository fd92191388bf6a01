package weft.lir;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weft.ir.Dim;
import weft.ir.Type;

/**
 * What each member of a mesh has of a tensor, as a name that says so: {@code
 * share.rows.0:64/2.attn_q.weight} is one half of the 64 rows from row 0 on, the first member's the
 * first. So programs of members are the same text, and all that knows tensors by name knows shares.
 *
 * @param runs whose pieces lie behind each other in the share
 */
public record Share(String tensor, Axis axis, List<Run> runs) {
  private static final String PREFIX = "share.";

  /** The parts of a name. */
  private static final Pattern NAME =
      Pattern.compile("share\\.(rows|columns)\\.(\\d+:\\d+/\\d+(?:\\+\\d+:\\d+/\\d+)*)\\.(.+)");

  /** Which axis is cut: the last but one, or the last. */
  public enum Axis {
    ROWS,
    COLUMNS;

    int of(Type type) {
      return this == ROWS ? type.rank() - 2 : type.rank() - 1;
    }
  }

  /**
   * Elements of the axis, of which each member has one of so many equal pieces. Where there are
   * fewer pieces than members, neighbours have the same.
   */
  public record Run(int from, int size, int pieces) {
    public Run {
      if (from < 0 || size < 1 || pieces < 1 || size % pieces != 0) {
        throw new ProgramException(
            "%d elements from %d on do not cut in %d".formatted(size, from, pieces));
      }
    }

    /** How many elements a piece has. */
    public int length() {
      return size / pieces;
    }

    /** Where the piece of a member begins. */
    public int start(int member, int members) {
      return from + (int) ((long) member * pieces / members) * length();
    }

    @Override
    public String toString() {
      return from + ":" + size + "/" + pieces;
    }
  }

  public Share {
    runs = List.copyOf(runs);
  }

  /** The name that programs have it by. */
  public String name() {
    return PREFIX
        + axis.name().toLowerCase(Locale.ROOT)
        + "."
        + runs.stream().map(Run::toString).collect(Collectors.joining("+"))
        + "."
        + tensor;
  }

  /** The share that a name means; empty where it is a tensor's own. */
  public static Optional<Share> of(String name) {
    if (!name.startsWith(PREFIX)) return Optional.empty();
    var parts = NAME.matcher(name);
    if (!parts.matches()) throw new ProgramException("no share of a tensor is called " + name);
    var runs = new ArrayList<Run>();
    for (var run : parts.group(2).split("\\+", -1)) {
      var numbers = run.split("[:/]", -1);
      runs.add(
          new Run(
              Integer.parseInt(numbers[0]),
              Integer.parseInt(numbers[1]),
              Integer.parseInt(numbers[2])));
    }
    var axis = Axis.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
    return Optional.of(new Share(parts.group(3), axis, runs));
  }

  /** The tensor that a name is of, whole or a share. */
  public static String tensor(String name) {
    return of(name).map(Share::tensor).orElse(name);
  }

  /** How tensors and shares of them are stored, where tensors are known. */
  public static Stored stored(Stored whole) {
    return name -> whole.encoding(tensor(name));
  }

  /** How a share of a tensor of this type is shaped. */
  public Type type(Type whole) {
    var dims = new ArrayList<>(whole.dims());
    int length = runs.stream().mapToInt(Run::length).sum();
    dims.set(axis.of(whole), Dim.of(length));
    return new Type(whole.dtype(), dims);
  }
}
