package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.backend.BackendException;
import weft.backend.OutputRow;
import weft.cuda.driver.Driver;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.Peaks;
import weft.ir.DType;
import weft.lir.Bounds;
import weft.lir.Operand;
import weft.lir.Program;

/**
 * What a step leaves. Of rows that a token is chosen from, the greatest of each run comes back with
 * the step. Owns the memory of those.
 */
final class Outputs implements Owned {
  /** Rows of this length are worth it: a shorter one is fetched in the same time. */
  private static final int LONG_ROW = 2048;

  private record Peaked(Peaks peaks, Located rows, Memory there, MemorySegment here) {}

  private final Driver driver;
  private final Binding binding;
  private final Map<Operand.View, Peaked> peaked = new LinkedHashMap<>();

  Outputs(Driver driver, Program program, Binding binding) {
    this.driver = driver;
    this.binding = binding;
    try {
      program.outputs().values().forEach(view -> keepPeaks(program, view));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void keepPeaks(Program program, Operand.View view) {
    boolean isChosenFrom =
        view.type().dim(0).equals(Bounds.WANTED)
            && view.type().rowElements() >= LONG_ROW
            && view.type().dtype() == DType.F32
            && view.hasContiguousRows();
    if (isChosenFrom) {
      var peaks = new Peaks(view.type().rowElements());
      long bytes = (long) program.bounds().wanted() * peaks.runs() * Float.BYTES;
      var there = new Memory(driver);
      peaked.put(view, new Peaked(peaks, binding.located(view), there, driver.pinned(bytes)));
      there.allocate(bytes);
    }
  }

  /** What is told behind a step's launches. */
  List<Call> calls() {
    var calls = new ArrayList<Call>();
    for (var each : peaked.values()) {
      var kernel = binding.kernel(each.peaks.kernel());
      calls.add(
          shape -> {
            if (shape.wanted() == 0) return;
            int runs = each.peaks.runs();
            binding.launch(
                kernel,
                Grid.of(Math.ceilDiv(runs, Peaks.RUNS_A_BLOCK), shape.wanted(), Peaks.THREADS),
                each.there.address(),
                each.rows.address(),
                each.rows.lie().strides().getFirst());
            long bytes = (long) shape.wanted() * runs * Float.BYTES;
            driver.download(each.there.address(), each.here.asSlice(0, bytes));
          });
    }
    return calls;
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
    var known = peaked.get(view);
    if (known == null) return new CudaRow(driver, at, width, new float[0]);
    int runs = known.peaks.runs();
    var peaks = new float[runs];
    MemorySegment.copy(
        known.here, ValueLayout.JAVA_FLOAT, (long) row * runs * Float.BYTES, peaks, 0, runs);
    return new CudaRow(driver, at, width, peaks);
  }

  @Override
  public void close() {
    for (var each : peaked.values()) {
      each.there.close();
      driver.unpin(each.here);
    }
    peaked.clear();
  }
}
