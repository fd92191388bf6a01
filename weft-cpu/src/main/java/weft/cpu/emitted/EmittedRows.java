package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;
import weft.backend.Step;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.ir.Type;

/**
 * A launch of emitted kernels over the rows of its result, side by side, whose arguments no step
 * changes.
 *
 * @param type the result's
 */
public record EmittedRows(Type type, List<Call> calls) implements EmittedLaunch {
  /** One kernel and its arguments; a row is {@code perRow} units of its work. */
  record Call(Kernel kernel, MemorySegment block, int perRow) {}

  public EmittedRows {
    calls = List.copyOf(calls);
  }

  @Override
  public void record(Step step, CallList list) {
    int rows = step.rows(type);
    for (var call : calls) list.call(call.kernel, call.block, rows * call.perRow);
  }

  @Override
  public Change follows() {
    return Change.ROWS;
  }

  @Override
  public String name() {
    return calls.stream().map(c -> c.kernel.name()).distinct().collect(Collectors.joining(", "));
  }
}
