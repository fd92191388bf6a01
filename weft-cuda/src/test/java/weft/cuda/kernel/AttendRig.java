package weft.cuda.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import weft.backend.KvLayout;
import weft.backend.KvType;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.interpret.InterpretedDriver;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxModule;
import weft.ir.DType;
import weft.ir.Op;
import weft.ir.Slot;

/** Sequences with keys and values in pages, queries over them, and what attention must be. */
final class AttendRig {
  /**
   * A sequence of a step.
   *
   * @param history positions before the step's
   * @param lasts for each of its rows, how many rows from the first on it sees, less one
   */
  record Part(int history, int... lasts) {
    static Part of(int history, int rows) {
      var lasts = new int[rows];
      for (int i = 0; i < rows; i++) lasts[i] = i;
      return new Part(history, lasts);
    }

    /** Rows that all see each other. */
    static Part block(int history, int rows) {
      var lasts = new int[rows];
      Arrays.fill(lasts, rows - 1);
      return new Part(history, lasts);
    }

    int positions() {
      return history + lasts.length;
    }
  }

  static final int PART_BYTES = 24;

  final InterpretedDriver driver = new InterpretedDriver();
  private final Random random = new Random(18);
  final Slot.KeyValue slot;
  final KvType type;
  final int heads;
  final Op.Scores scores;
  final List<Part> parts;
  private final float[][] keys;
  private final float[][] values;
  private final float[] q;

  AttendRig(Slot.KeyValue slot, KvType type, int heads, Op.Scores scores, Part... parts) {
    this.slot = slot;
    this.type = type;
    this.heads = heads;
    this.scores = scores;
    this.parts = List.of(parts);
    keys = new float[parts.length][];
    values = new float[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      keys[i] = rounded(reals(parts[i].positions() * slot.heads() * slot.keyDim()));
      values[i] = rounded(reals(parts[i].positions() * slot.heads() * slot.valueDim()));
    }
    q = reals(rows() * heads * slot.keyDim());
  }

  int rows() {
    return parts.stream().mapToInt(p -> p.lasts().length).sum();
  }

  private float[] reals(int count) {
    var all = new float[count];
    for (int i = 0; i < count; i++) all[i] = (float) random.nextGaussian();
    return all;
  }

  private KvLayout layout() {
    return KvLayout.of(slot, type);
  }

  private float[] rounded(float[] all) {
    var encoding = layout().encoding();
    var bytes = MemorySegment.ofArray(new byte[(int) encoding.bytes(all.length)]);
    encoding.encode(all, 0, all.length, bytes, 0);
    encoding.decode(bytes, 0, all, 0, all.length);
    return all;
  }

  Strided queries() {
    int width = slot.keyDim();
    return new Strided(DType.F32, List.of(heads, width), List.of(heads * width, width, 1));
  }

  Strided results() {
    int width = slot.valueDim();
    return new Strided(DType.F32, List.of(heads, width), List.of(heads * width + 3, width, 1));
  }

  long upload(int... words) {
    long at = driver.allocate(4L * words.length);
    driver.upload(MemorySegment.ofArray(words), at);
    return at;
  }

  private long upload(float... reals) {
    long at = driver.allocate(4L * reals.length);
    driver.upload(MemorySegment.ofArray(reals), at);
    return at;
  }

  private long upload(long... addresses) {
    long at = driver.allocate(8L * addresses.length);
    driver.upload(MemorySegment.ofArray(addresses), at);
    return at;
  }

  long q() {
    return upload(q);
  }

  long places() {
    return upload(list((part, i) -> parts.get(part).history() + i));
  }

  long starts() {
    return upload(list((part, i) -> parts.get(part).history() + first(parts.get(part), i)));
  }

  /** The first of the rows that see each other with this one. */
  private static int first(Part part, int row) {
    int first = 0;
    while (part.lasts()[first] != part.lasts()[row]) first++;
    return first;
  }

  long ends() {
    return upload(list((part, i) -> parts.get(part).history() + parts.get(part).lasts()[i]));
  }

  long owners() {
    return upload(list((part, _) -> part));
  }

  private interface OfRow {
    int of(int part, int row);
  }

  private int[] list(OfRow each) {
    var all = new ArrayList<Integer>();
    for (int part = 0; part < parts.size(); part++) {
      for (int i = 0; i < parts.get(part).lasts().length; i++) all.add(each.of(part, i));
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  /** What {@link PartCode} reads. */
  long entries() {
    var words = new int[parts.size() * PartCode.WORDS];
    int row = 0;
    for (int part = 0; part < parts.size(); part++) {
      words[part * PartCode.WORDS] = row;
      words[part * PartCode.WORDS + 1] = parts.get(part).lasts().length;
      row += parts.get(part).lasts().length;
    }
    return upload(words);
  }

  /** The addresses of the sequences' tables of pages, which hold what was written and no more. */
  long tables() {
    var all = new long[parts.size() * PART_BYTES / Long.BYTES];
    for (int part = 0; part < parts.size(); part++) {
      int count = parts.get(part).positions();
      var pages = new long[Math.ceilDiv(count, KvLayout.POSITIONS)];
      for (int page = 0; page < pages.length; page++) {
        pages[page] = driver.allocate(layout().pageBytes());
      }
      for (int position = 0; position < count; position++) {
        long page = pages[position / KvLayout.POSITIONS];
        for (int head = 0; head < slot.heads(); head++) {
          int at = position * slot.heads() + head;
          put(keys[part], at, slot.keyDim(), page + layout().keyAt(head, position));
          put(values[part], at, slot.valueDim(), page + layout().valueAt(head, position));
        }
      }
      all[part * PART_BYTES / Long.BYTES] = upload(pages);
    }
    return upload(all);
  }

  private void put(float[] from, int row, int width, long to) {
    var encoding = layout().encoding();
    var bytes = MemorySegment.ofArray(new byte[(int) encoding.bytes(width)]);
    encoding.encode(from, row * width, width, bytes, 0);
    driver.upload(bytes, to);
  }

  /** Runs a kernel whose arguments begin with the result's address. */
  void launch(PtxFunction function, Grid grid, long... arguments) {
    var module = driver.module(PtxModule.hopper(List.of(function)));
    driver.launch(module.function(function.name()), grid, arguments);
  }

  /** Room for results that are no number until they are written. */
  long room() {
    var none = new float[rows() * results().strides().getFirst()];
    Arrays.fill(none, Float.NaN);
    return upload(none);
  }

  void check(String name, long address, float tolerance) {
    int stride = results().strides().getFirst();
    var there = MemorySegment.ofArray(new float[rows() * stride]);
    driver.download(address, there);
    var y = there.toArray(ValueLayout.JAVA_FLOAT);
    int row = 0;
    for (int part = 0; part < parts.size(); part++) {
      for (int i = 0; i < parts.get(part).lasts().length; i++, row++) {
        for (int head = 0; head < heads; head++) {
          var expected = expected(part, i, row, head);
          for (int d = 0; d < slot.valueDim(); d++) {
            assertThat((double) y[row * stride + head * slot.valueDim() + d])
                .as("%s: part %d, row %d, head %d, element %d", name, part, i, head, d)
                .isCloseTo(expected[d], Offset.offset((double) tolerance));
          }
        }
        for (int beyond = heads * slot.valueDim(); beyond < stride; beyond++) {
          assertThat(y[row * stride + beyond]).isNaN();
        }
      }
    }
  }

  private double[] expected(int part, int i, int row, int head) {
    var given = parts.get(part);
    int place = given.history() + i;
    int last = given.history() + given.lasts()[i];
    int start = given.history() + first(given, i);
    int oldest = slot.isWindowed() ? Math.min(start, Math.max(0, place - slot.window() + 1)) : 0;
    int kvHead = head / (heads / slot.heads());
    var sum = new double[slot.valueDim()];
    double total = 0;
    double greatest = Double.NEGATIVE_INFINITY;
    var weights = new double[last - oldest + 1];
    for (int p = oldest; p <= last; p++) {
      double dot = 0;
      for (int e = 0; e < slot.keyDim(); e++) {
        dot +=
            (double) q[(row * heads + head) * slot.keyDim() + e]
                * keys[part][(p * slot.heads() + kvHead) * slot.keyDim() + e];
      }
      dot *= scores.scale();
      if (scores.softCap() > 0) dot = scores.softCap() * Math.tanh(dot / scores.softCap());
      weights[p - oldest] = dot;
      greatest = Math.max(greatest, dot);
    }
    for (int p = oldest; p <= last; p++) {
      double weight = Math.exp(weights[p - oldest] - greatest);
      total += weight;
      for (int d = 0; d < slot.valueDim(); d++) {
        sum[d] += weight * values[part][(p * slot.heads() + kvHead) * slot.valueDim() + d];
      }
    }
    for (int d = 0; d < sum.length; d++) sum[d] /= total;
    return sum;
  }
}
