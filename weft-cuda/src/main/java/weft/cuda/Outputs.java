package weft.cuda;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.backend.BackendException;
import weft.backend.OutputRow;
import weft.cuda.driver.Driver;
import weft.ir.DType;
import weft.lir.Bounds;
import weft.lir.Operand;
import weft.lir.Program;

/** What a step leaves. Of rows that a token is chosen from, {@link Choices} know the greatest. */
final class Outputs implements Owned {
  /** Rows of this length are worth it: a shorter one is fetched in the same time. */
  private static final int LONG_ROW = 2048;

  private final Binding binding;
  private final Fetch fetch;
  private final Map<Operand.View, Choices> choices = new LinkedHashMap<>();

  Outputs(Driver driver, Program program, Binding binding) {
    this.binding = binding;
    int longest = 0;
    for (var view : program.outputs().values()) {
      longest = Math.max(longest, view.type().rowElements());
    }
    this.fetch = new Fetch(driver, longest);
    try {
      for (var view : program.outputs().values()) {
        if (isChosenFrom(view)) {
          int rows = program.bounds().wanted();
          choices.put(view, new Choices(driver, binding, binding.located(view), rows));
        }
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private static boolean isChosenFrom(Operand.View view) {
    return view.type().dim(0).equals(Bounds.WANTED)
        && view.type().rowElements() >= LONG_ROW
        && view.type().dtype() == DType.F32
        && view.hasContiguousRows();
  }

  /** What is told behind a step's launches. */
  List<Call> calls() {
    var calls = new ArrayList<Call>();
    for (var each : choices.values()) calls.add(each::tell);
    return calls;
  }

  /** What was known of the last step is not true of the next, which wants so many rows. */
  void begin(int wanted) {
    for (var each : choices.values()) each.begin(wanted);
  }

  /** A row of the last step, which is done. */
  OutputRow row(Operand.View view, int row) {
    var value = binding.located(view);
    if (view.type().dtype() != DType.F32) {
      throw new BackendException(
          "an output is read as f32, but " + view + " is " + view.type() + "; cast it first");
    }
    if (!view.hasContiguousRows()) {
      throw new BackendException("an output lies in rows, not strided: " + view);
    }
    if (row < 0 || row >= binding.bounds().size(view.type().dim(0))) {
      throw new BackendException("an output has no row " + row + ": " + view);
    }
    int width = view.type().rowElements();
    long at = value.address() + (long) row * view.rowStride() * Float.BYTES;
    var whole = new WholeRow(fetch, at, width);
    var known = choices.get(view);
    return known == null ? whole : new ChosenRow(known, row, whole);
  }

  @Override
  public void close() {
    choices.values().forEach(Choices::close);
    choices.clear();
    fetch.close();
  }
}
