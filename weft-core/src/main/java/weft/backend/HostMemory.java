package weft.backend;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import weft.ir.DType;
import weft.ir.Type;
import weft.lir.Launch;
import weft.lir.Operand;
import weft.lir.Program;
import weft.lir.Region;

/** A program's buffers in this process's memory, at the places its plan gives; owns them. */
public final class HostMemory implements AutoCloseable {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final Arena arena = Arena.ofShared();
  private final Program program;
  private final HostWeights weights;
  private final MemorySource source;
  private final MemorySegment step;
  private final Map<Integer, MemorySegment> fixed = new HashMap<>();

  /** Buffers for a step's values; what depends on weights alone is computed now, or is there. */
  public HostMemory(Program program, HostWeights weights, MemorySource source) {
    this.program = program;
    this.weights = weights;
    this.source = source;
    program.requireRunnable();
    weights.bind(program);
    try {
      this.step = source.allocate(program.bytes(Region.Lifetime.STEP), arena);
      var setups = Setup.of(program);
      for (var launch : program.setup()) compute(launch, setups.get(launch.result().buffer()));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new NoMemoryException(
          "there is no memory for the %d bytes of a program of %s; use a shorter --context"
              .formatted(program.bytes(Region.Lifetime.STEP), program.bounds()),
          e);
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  private HostMemory(Program program, HostWeights weights, MemorySegment step) {
    this.program = program;
    this.weights = weights;
    this.source = MemorySource.ARENA;
    this.step = step;
  }

  /**
   * What depends on weights alone, and no buffers: for a device that computes steps in memory of
   * its own.
   */
  public static HostMemory beforeSteps(Program program, HostWeights weights) {
    var memory = new HostMemory(program, weights, MemorySegment.NULL);
    program.requireRunnable();
    weights.bind(program);
    var setups = Setup.of(program);
    for (var launch : program.setup()) {
      memory.compute(launch, setups.get(launch.result().buffer()));
    }
    return memory;
  }

  private void compute(Launch launch, Setup setup) {
    int buffer = launch.result().buffer();
    var memory =
        weights.computed(
            setup,
            program.regions().get(buffer),
            fresh -> {
              fixed.put(buffer, fresh);
              ReferenceKernels.run(launch, this, ReferenceKernels.NO_STEP);
            });
    fixed.put(buffer, memory);
  }

  /** A tensor in the shape that the program has it in. */
  public Weights.Tensor tensor(Operand.Weight weight) {
    return weights.tensor(weight);
  }

  /** The bytes of a buffer. */
  public MemorySegment buffer(Operand.View view) {
    var region = program.regions().get(view.buffer());
    return switch (region.lifetime()) {
      case STEP -> step.asSlice(region.offset(), region.bytes());
      case PROGRAM -> fixed.get(view.buffer());
    };
  }

  /** The bytes of a buffer for a kernel that knows one element type. */
  public MemorySegment floats(Operand.View view) {
    if (view.type().dtype() == DType.F32) return buffer(view);
    throw new BackendException("a kernel of f32 numbers has met " + view + " of " + view.type());
  }

  /** Copies the rows of numbers that a step brings to their buffers. */
  public void fill(Step step) {
    program.inputs().forEach((name, view) -> write(view, step.inputs().get(name).values(), step));
  }

  /** An operand's live elements, row-major. */
  public float[] read(Operand operand, Step step) {
    return switch (operand) {
      case Operand.View view -> {
        var out = new float[count(view.type(), step)];
        var buffer = buffer(view);
        if (isPlain(view)) {
          MemorySegment.copy(buffer, FLOAT, (long) view.offset() * Float.BYTES, out, 0, out.length);
        } else {
          var dtype = view.type().dtype();
          walk(view, step, (element, at) -> out[element] = Elements.get(dtype, buffer, at));
        }
        yield out;
      }
      case Operand.Constant(var values, _) -> {
        var out = new float[values.size()];
        for (int i = 0; i < out.length; i++) out[i] = values.get(i);
        yield out;
      }
      case Operand.Weight weight -> weights.tensor(weight).decode();
      case Operand.Input input ->
          throw new BackendException("input " + input.name() + " holds integers, not numbers");
    };
  }

  /** An operand that no step changes: a tensor, a constant, or what the setup computed. */
  public float[] fixed(Operand operand) {
    if (operand.type().isSymbolic()) {
      throw new BackendException("an operand that changes with the step: " + operand);
    }
    return read(operand, ReferenceKernels.NO_STEP);
  }

  public void write(Operand.View view, float[] from, Step step) {
    var buffer = buffer(view);
    if (isPlain(view)) {
      int count = count(view.type(), step);
      MemorySegment.copy(from, 0, buffer, FLOAT, (long) view.offset() * Float.BYTES, count);
    } else {
      var dtype = view.type().dtype();
      walk(view, step, (element, at) -> Elements.set(dtype, buffer, at, from[element]));
    }
  }

  private static boolean isPlain(Operand.View view) {
    return view.isContiguous() && view.type().dtype() == DType.F32;
  }

  private interface Visitor {
    void at(int element, long place);
  }

  private static int count(Type type, Step step) {
    long count = (long) step.rows(type) * type.rowElements();
    if (count == (int) count) return (int) count;
    throw new BackendException(
        "a value of "
            + type
            + " has "
            + count
            + " elements in this step, more than an array holds");
  }

  private static void walk(Operand.View view, Step step, Visitor visitor) {
    var type = view.type();
    int[] index = new int[type.rank()];
    int[] strides = view.strides().stream().mapToInt(Integer::intValue).toArray();
    int count = count(type, step);
    for (int element = 0; element < count; element++) {
      long place = view.offset();
      for (int axis = 0; axis < index.length; axis++) {
        place += (long) index[axis] * strides[axis];
      }
      visitor.at(element, place);
      for (int axis = index.length - 1; axis >= 0; axis--) {
        // The first axis never wraps: its size is the number of live rows.
        if (axis == 0 || ++index[axis] < type.dim(axis).fixed()) {
          if (axis == 0) index[0]++;
          break;
        }
        index[axis] = 0;
      }
    }
  }

  /** One row of an output, where it lies. */
  public HostRow row(Operand.View view, int row) {
    if (view.type().dtype() != DType.F32) {
      throw new BackendException(
          "an output is read as f32, but " + view + " is " + view.type() + "; cast it first");
    }
    if (!view.hasContiguousRows()) {
      throw new BackendException("an output lies in rows, not strided: " + view);
    }
    int width = view.type().rowElements();
    long from = view.offset() + (long) row * view.rowStride();
    var memory = buffer(view);
    if (row < 0 || (from + width) * Float.BYTES > memory.byteSize()) {
      throw new BackendException("an output has no row " + row + ": " + view);
    }
    return new HostRow(memory.asSlice(from * Float.BYTES, (long) width * Float.BYTES), width);
  }

  /** Nobody reads what the last step left in the buffers. */
  public void rest() {
    source.lend(step);
  }

  @Override
  public void close() {
    arena.close();
  }
}
