package weft.cpu.emitted;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.walk.CallList;

/**
 * Some rows of a projection, and who multiplies them.
 *
 * <p>A prompt's rows are shared among the workers where each has enough of them: what a worker
 * writes in one projection it reads in the next, and little goes from core to core but what
 * attention takes and gives. Two cores may have no cache in common, and even which ones a virtual
 * machine runs on may change; then a prompt of 512 tokens is read a tenth faster so, else a
 * hundredth. Every worker unpacks all the weights, which takes it about as long as seven rows.
 */
public sealed interface RowShare {
  /** Below this, unpacking all weights costs near cores more than it saves far ones, or as much. */
  int FEWEST = 128;

  int first();

  int rows();

  /** How many workers the outputs are cut among. */
  int workers();

  /** Has the outputs of a piece computed. */
  void call(CallList calls, Kernel kernel, MemorySegment block, ProjectCuts.Piece piece);

  /** All rows, of which each worker computes some outputs. */
  record Together(int rows, int workers) implements RowShare {
    @Override
    public int first() {
      return 0;
    }

    @Override
    public void call(CallList calls, Kernel kernel, MemorySegment block, ProjectCuts.Piece piece) {
      calls.callInRuns(kernel, block, piece.outputs(), piece.run());
    }
  }

  /** A worker's own rows, of which it computes all outputs. */
  record Alone(int worker, int first, int rows) implements RowShare {
    @Override
    public int workers() {
      return 1;
    }

    @Override
    public void call(CallList calls, Kernel kernel, MemorySegment block, ProjectCuts.Piece piece) {
      calls.callBy(worker, kernel, block, piece.outputs());
    }
  }

  /**
   * The shares of so many rows; alone, workers have those that {@link CallList#call} gives them.
   */
  static List<RowShare> of(int rows, int team) {
    if (rows / team < FEWEST || team == 1) return List.of(new Together(rows, team));
    return IntStream.range(0, team)
        .<RowShare>mapToObj(
            worker -> {
              int first = CallList.begin(rows, worker, team);
              return new Alone(worker, first, CallList.begin(rows, worker + 1, team) - first);
            })
        .toList();
  }
}
