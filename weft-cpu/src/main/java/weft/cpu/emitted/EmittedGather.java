package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.ToIntFunction;
import weft.backend.BackendException;
import weft.backend.Step;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.walk.CallList;
import weft.cpu.launch.Change;
import weft.cpu.launch.EmittedLaunch;
import weft.lir.Operand;

/**
 * A launch of an emitted kernel over rows that the step names.
 *
 * @param input the step's list of rows
 * @param thing what a row is, for messages
 * @param available how many rows there are to choose from
 * @param kernel reads the list as 32-bit numbers
 * @param perRow units of its work in a row
 * @param scratchBytes what each worker needs for it
 * @param blockBytes the size of its arguments
 * @param arguments writes them
 */
public record EmittedGather(
    Operand.Input input,
    String thing,
    ToIntFunction<Step> available,
    Kernel kernel,
    int perRow,
    long scratchBytes,
    long blockBytes,
    Arguments arguments)
    implements EmittedLaunch {
  /** Writes the arguments of the kernel to {@code block}. */
  @FunctionalInterface
  interface Arguments {
    void write(MemorySegment chosen, MemorySegment block);
  }

  @Override
  public void record(Step step, CallList calls) {
    // What is checked is the list's own copy: the array is the caller's, who may change it.
    int[] rows = step.integers(input).clone();
    int most = available.applyAsInt(step);
    for (int row : rows) {
      if (row < 0 || row >= most) {
        throw new BackendException(thing + " " + row + " is not one of the " + most + " there are");
      }
    }
    var chosen = calls.arguments(Math.max(1, rows.length) * (long) Integer.BYTES);
    MemorySegment.copy(rows, 0, chosen, ValueLayout.JAVA_INT, 0, rows.length);
    var block = calls.arguments(blockBytes);
    arguments.write(chosen, block);
    calls.needScratch(scratchBytes);
    calls.call(kernel, block, rows.length * perRow);
  }

  @Override
  public Change follows() {
    return Change.TOKENS;
  }

  @Override
  public String name() {
    return kernel.name();
  }
}
