package weft.conformance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.OutputRow;
import weft.backend.State;
import weft.backend.Step;
import weft.compile.Pipeline;
import weft.conformance.Rig.Layout;
import weft.ir.Op;
import weft.lir.Bounds;
import weft.quant.Encoding;
import weft.quant.Encodings;

/**
 * What a device promises of the rows it leaves: the candidates it finds are those of a sort of the
 * whole row, the lowest first among equals and none that is no number, for any number of them, any
 * size of row and any number of rows.
 */
final class CandidateContract {
  /** Around the runs and widths by which a device may look at many elements at once. */
  private static final List<Integer> SIZES = List.of(1, 2, 63, 64, 65, 130, 1000, 4099);

  private static final int WIDTH = 32;
  private static final int LARGEST_STEP = 5;

  /** No program of that step has so many rows, whatever it rounds them to. */
  private static final int BEYOND = 100_000;

  private final Device device;
  private final List<String> failures = new ArrayList<>();

  private CandidateContract(Device device) {
    this.device = device;
  }

  static List<String> failures(Device device) {
    var contract = new CandidateContract(device);
    for (var encoding : List.of(Encodings.F32, Encodings.Q8_0)) {
      for (int size : SIZES) contract.rows(size + " of " + encoding.name(), encoding, size, 1);
    }
    contract.rows("pairs of equals", Encodings.F32, 257, 2);
    contract.rows("nothing but equals", Encodings.F32, 200, 200);
    contract.broken(Float.NaN);
    contract.broken(Float.POSITIVE_INFINITY);
    contract.broken(Float.NEGATIVE_INFINITY);
    return contract.failures;
  }

  /** Rows of logits in which each number comes {@code copies} times. */
  private void rows(String name, Encoding encoding, int size, int copies) {
    var rig = new Rig();
    var x = rig.add(new Op.Rows(rig.rows(WIDTH, Layout.WHOLE), rig.wanted()));
    var w =
        copies == 1
            ? rig.matrix(encoding, size, WIDTH)
            : rig.repeated(Math.ceilDiv(size, copies), copies, WIDTH);
    rig.output("logits", rig.add(new Op.Linear(x, w)));
    run(name, rig.row("candidates", Script.SHORT));
  }

  /** Rows with one element that is no finite number, here and there. */
  private void broken(float value) {
    for (int at : new int[] {0, 64, 299}) {
      var rig = new Rig();
      var x = rig.add(new Op.Rows(rig.rows(WIDTH, Layout.WHOLE), rig.wanted()));
      rig.output("logits", rig.add(new Op.Linear(x, rig.broken(300, WIDTH, at, value))));
      run(value + " at " + at, rig.row("candidates", Script.SHORT));
    }
  }

  private void run(String name, Row row) {
    var program =
        Pipeline.of(device.target(), row.stored(), Set.copyOf(Pipeline.fusions()))
            .compile(row.graph(), new Bounds(LARGEST_STEP, LARGEST_STEP));
    try (var weights = device.prepare(row.tensors()::get);
        var executable = device.load(program, weights);
        var state = device.state(program.slots())) {
      for (int rows : new int[] {1, LARGEST_STEP, 2}) {
        executable.run(step(state, rows), Executable.Observer.NONE);
        for (int i = 0; i < rows; i++) {
          check(name + ", row " + i + " of " + rows, executable.row("logits", i));
        }
      }
      refuses(name + ": an output of no such name", () -> executable.row("other", 0));
      refuses(name + ": a row before the first", () -> executable.row("logits", -1));
      refuses(name + ": a row beyond all", () -> executable.row("logits", BEYOND));
    }
  }

  private static Step step(State state, int rows) {
    var tokens = IntStream.range(0, rows).map(i -> 3 + 7 * i).toArray();
    var positions = IntStream.range(0, rows).map(i -> state.position() + i).toArray();
    // Backwards, so that a row is found by what was wanted and not by where it was fed.
    var wanted = IntStream.range(0, rows).map(i -> rows - 1 - i).toArray();
    return new Step(tokens, positions, wanted, List.of(new Step.Part(state, rows)));
  }

  private void check(String where, OutputRow row) {
    var all = new float[row.size()];
    row.copyTo(all);
    boolean finite = IntStream.range(0, all.length).allMatch(i -> Float.isFinite(all[i]));
    require(
        row.isFinite() == finite, where + " says that it is " + (finite ? "not " : "") + "finite");
    int[] sorted =
        IntStream.range(0, all.length)
            .filter(i -> all[i] > Float.NEGATIVE_INFINITY)
            .boxed()
            .sorted(Comparator.<Integer>comparingDouble(i -> -all[i]).thenComparing(i -> i))
            .mapToInt(i -> i)
            .toArray();
    for (int count : new int[] {0, 1, 2, 40, 64, 65, all.length, all.length + 3}) {
      var indexes = new int[count];
      var values = new float[count];
      int found = row.greatest(count, indexes, values);
      int expected = Math.min(count, sorted.length);
      require(found == expected, where + " has " + found + " of " + expected + " candidates");
      for (int i = 0; i < Math.min(found, expected); i++) {
        if (indexes[i] != sorted[i] || values[i] != all[sorted[i]]) {
          require(
              false,
              "%s has %s as candidate %d of %d, expected %d (%s)"
                  .formatted(
                      where,
                      indexes[i] + " (" + values[i] + ")",
                      i,
                      count,
                      sorted[i],
                      all[sorted[i]]));
          break;
        }
      }
    }
    if (row.size() > 1) {
      refuses(where + " copied to fewer elements", () -> row.copyTo(new float[row.size() - 1]));
    }
  }

  private void refuses(String what, Runnable attempt) {
    try {
      attempt.run();
      failures.add("candidates: " + what + " is accepted");
    } catch (BackendException e) {
      // As it should be.
    } catch (RuntimeException e) {
      failures.add("candidates: " + what + " fails: " + e);
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) failures.add("candidates: " + otherwise);
  }
}
