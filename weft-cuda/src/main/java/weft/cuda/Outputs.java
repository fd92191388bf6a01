package weft.cuda;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.backend.BackendException;
import weft.backend.HostRow;
import weft.backend.OutputRow;
import weft.backend.StateSteps;
import weft.cuda.driver.Driver;
import weft.ir.DType;
import weft.lir.Bounds;
import weft.lir.Operand;
import weft.lir.Program;

/** What a step leaves. Of rows that a token is chosen from, {@link Choices} know the greatest. */
final class Outputs implements Owned {
  /** Shorter rows are no vocabulary, of which a token is chosen. */
  private static final int LONG_ROW = 2 * HostRow.RUN;

  /** Where an output's rows lie, and what is known of them; looked up for each row of a step. */
  private record Output(
      Operand.View view, Located rows, int count, boolean isReadable, Optional<Choices> choices) {
    private OutputRow row(Fetch fetch, int row) {
      if (!isReadable) throw unreadable(view);
      if (row < 0 || row >= count) {
        throw new BackendException("an output has no row " + row + ": " + view);
      }
      long at = rows.address() + (long) row * view.rowStride() * Float.BYTES;
      var whole = new WholeRow(fetch, at, view.type().rowElements());
      return choices.isEmpty() ? whole : new ChosenRow(choices.get(), row, whole);
    }
  }

  private final Program program;
  private final Fetch fetch;
  private final Map<Operand.View, Choices> choices = new LinkedHashMap<>();
  private final Map<String, Output> outputs = new HashMap<>();

  Outputs(Driver driver, Program program, Binding binding) {
    this.program = program;
    int longest = 0;
    for (var view : program.outputs().values()) {
      longest = Math.max(longest, view.type().rowElements());
    }
    this.fetch = new Fetch(driver, longest);
    try {
      program.outputs().forEach((name, view) -> outputs.put(name, output(driver, binding, view)));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private Output output(Driver driver, Binding binding, Operand.View view) {
    var rows = binding.located(view);
    boolean isReadable = view.type().dtype() == DType.F32 && view.hasContiguousRows();
    boolean isChosenFrom =
        isReadable
            && view.type().dim(0).equals(Bounds.WANTED)
            && view.type().rowElements() >= LONG_ROW;
    if (isChosenFrom && !choices.containsKey(view)) {
      choices.put(view, new Choices(driver, binding, rows, binding.bounds().wanted()));
    }
    int count = binding.bounds().size(view.type().dim(0));
    return new Output(view, rows, count, isReadable, Optional.ofNullable(choices.get(view)));
  }

  private static BackendException unreadable(Operand.View view) {
    return new BackendException(
        view.type().dtype() == DType.F32
            ? "an output lies in rows, not strided: " + view
            : "an output is read as f32, but " + view + " is " + view.type() + "; cast it first");
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

  /** What finds the greatest of an output's rows, where the device does. */
  Optional<Choices> choices(String name) {
    var known = outputs.get(name);
    return known == null ? Optional.empty() : known.choices;
  }

  /** A row of the last step, which is done. */
  OutputRow row(String name, int row) {
    var known = outputs.get(name);
    if (known == null) throw StateSteps.noOutput(program, name);
    return known.row(fetch, row);
  }

  @Override
  public void close() {
    choices.values().forEach(Choices::close);
    choices.clear();
    fetch.close();
  }
}
