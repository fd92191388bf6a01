package weft.lir;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import weft.ir.DType;
import weft.ir.Dim;
import weft.ir.IrException;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Type;

/**
 * Says whether a program may run, for kernels ask nothing: every launch is typed, every buffer is
 * written once, whole, before it is read and only where it was written, and every slot is used by
 * one launch. {@link PlaceCheck} sees to where buffers lie, {@link RunCheck} to what a step brings.
 */
final class ProgramCheck {
  private final Bounds bounds;
  private final int alignment;
  private final List<Region> regions;
  private final Map<Integer, Type> written = new HashMap<>();
  private final Map<String, Type> weights = new HashMap<>();
  private final Set<Slot> declared;
  private final Set<Slot> unused;

  private ProgramCheck(Bounds bounds, int alignment, List<Region> regions, List<Slot> slots) {
    this.bounds = bounds;
    this.alignment = alignment;
    this.regions = regions;
    this.declared = Set.copyOf(slots);
    this.unused = new HashSet<>(slots);
  }

  static void check(
      Bounds bounds,
      int alignment,
      List<Region> regions,
      Map<String, Operand.View> inputs,
      List<Launch> setup,
      List<Launch> steps,
      List<Slot> slots,
      Map<String, Operand.View> outputs) {
    if (Integer.bitCount(alignment) != 1 || alignment < Long.BYTES) {
      throw new ProgramException(
          "buffers that begin at multiples of "
              + alignment
              + " bytes; expected a power of two from "
              + Long.BYTES);
    }
    names(slots);
    var check = new ProgramCheck(bounds, alignment, regions, slots);
    try {
      inputs.forEach(check::input);
      setup.forEach(launch -> check.launch(launch, Region.Lifetime.PROGRAM));
      steps.forEach(launch -> check.launch(launch, Region.Lifetime.STEP));
      outputs.values().forEach(check::view);
    } catch (IrException e) {
      throw new ProgramException(e.getMessage(), e);
    }
    if (!check.unused.isEmpty()) {
      throw new ProgramException("slots that no launch uses: " + check.unused);
    }
    PlaceCheck.check(regions, alignment, inputs.values(), steps, outputs.values());
    if (check.written.size() != regions.size()) {
      throw new ProgramException(
          "%d regions, but %d buffers are written".formatted(regions.size(), check.written.size()));
    }
  }

  private static void names(List<Slot> slots) {
    var names = new HashSet<String>();
    for (var slot : slots) {
      if (!names.add(slot.name())) throw new ProgramException("two slots named " + slot.name());
    }
  }

  private void launch(Launch launch, Region.Lifetime lifetime) {
    launch.operands().forEach(operand -> operand(operand, launch));
    parameters(launch);
    op(launch, lifetime);
    var result = launch.result();
    if (!launch.op().infer().equals(result.type())) {
      throw wrong("the result's type is not the op's", launch);
    }
    written(result, lifetime, launch.op().mnemonic());
  }

  /** Rows that the step brings are written before its first launch. */
  private void input(String name, Operand.View view) {
    if (!view.type().isSymbolic() || !view.type().dtype().isNumber()) {
      throw new ProgramException("input " + name + " " + view.type() + " is no rows of numbers");
    }
    written(view, Region.Lifetime.STEP, "input " + name);
  }

  private void written(Operand.View result, Region.Lifetime lifetime, String by) {
    if (result.buffer() < 0 || result.buffer() >= regions.size()) {
      throw wrong("a view of no buffer", by, result);
    }
    var region = regions.get(result.buffer());
    boolean isOneStep = result.type().isSymbolic();
    if (region.lifetime() != lifetime || isOneStep && lifetime == Region.Lifetime.PROGRAM) {
      throw wrong("a buffer of another lifetime", by, result);
    }
    long bytes = Region.bytes(result.type(), bounds, alignment);
    if (region.bytes() != bytes) {
      throw wrong("a buffer of %d bytes, expected %d".formatted(region.bytes(), bytes), by, result);
    }
    if (!result.equals(Operand.View.whole(result.buffer(), result.type()))) {
      throw wrong("a result that is not all of its buffer", by, result);
    }
    if (written.put(result.buffer(), result.type()) != null) {
      throw wrong("a buffer that is written twice", by, result);
    }
  }

  private static ProgramException wrong(String complaint, String by, Operand.View result) {
    return new ProgramException(complaint + ": " + by + " writes " + result);
  }

  /** The op's parameters are the operands, each once and in order, with their types. */
  private static void parameters(Launch launch) {
    var inputs = launch.op().inputs();
    boolean agrees = inputs.size() == launch.operands().size();
    for (int i = 0; agrees && i < inputs.size(); i++) {
      agrees =
          inputs.get(i).id() == i && inputs.get(i).type().equals(launch.operands().get(i).type());
    }
    if (!agrees) throw wrong("parameters that are not the operands", launch);
  }

  private void op(Launch launch, Region.Lifetime lifetime) {
    switch (launch.op()) {
      case Op.Input _, Op.Weight _, Op.Constant _ ->
          throw wrong("an operand where a launch must be", launch);
      case Op.Stateful op when !unused.remove(op.slot()) && !isSharedAgain(op.slot()) ->
          throw wrong("a slot that is not declared, or used before", launch);
      case Op.Stateful _ when lifetime == Region.Lifetime.PROGRAM ->
          throw wrong("a state op outside of a step", launch);
      default -> {}
    }
  }

  private boolean isSharedAgain(Slot slot) {
    return slot.isShared() && declared.contains(slot);
  }

  private void operand(Operand operand, Launch launch) {
    switch (operand) {
      case Operand.View view -> view(view);
      case Operand.Input _ -> {}
      case Operand.Constant(var values, var type) -> {
        if (values.isEmpty() || !type.equals(Type.f32(values.size()))) {
          throw wrong(values.size() + " constants as " + type, launch);
        }
      }
      case Operand.Weight(var name, var type) -> {
        if (type.isSymbolic() || type.dtype() != DType.F32) {
          throw wrong("a tensor of no fixed size, " + name + " " + type, launch);
        }
        var known = weights.putIfAbsent(name, type);
        if (known != null && !known.equals(type)) {
          throw wrong("tensor %s as %s and as %s".formatted(name, known, type), launch);
        }
      }
    }
  }

  /** Elements that are written already: within the buffer, and in the rows that this step has. */
  private void view(Operand.View view) {
    if (view.buffer() < 0
        || view.buffer() >= regions.size()
        || view.offset() < 0
        || !view.type().dtype().isNumber()
        || view.strides().size() != view.type().rank()
        || view.strides().stream().anyMatch(s -> s < 0)) {
      throw new ProgramException("a view of no buffer: " + view);
    }
    var whole = written.get(view.buffer());
    if (whole == null) throw new ProgramException("a view of what is not yet written: " + view);
    boolean isInside = view.type().dtype() == whole.dtype() && isInside(view, whole);
    if (!isInside) throw new ProgramException("a view beyond its buffer: " + view);
  }

  private boolean isInside(Operand.View view, Type whole) {
    return whole.isSymbolic()
        ? view.type().dim(0).equals(whole.dim(0))
            && view.rowStride() == whole.rowElements()
            && last(view, 1) < whole.rowElements()
        : !view.type().isSymbolic() && last(view, 0) < bounds.elements(whole);
  }

  /** The farthest element that the axes from {@code first} on reach, as far as a long counts. */
  private static long last(Operand.View view, int first) {
    long last = view.offset();
    for (int axis = first; axis < view.type().rank(); axis++) {
      if (!(view.type().dim(axis) instanceof Dim.Fixed(int size))) return Long.MAX_VALUE;
      // Each product is of two ints; a sum that has grown past any buffer stays there.
      last = Math.min(last + (size - 1L) * view.strides().get(axis), Long.MAX_VALUE / 2);
    }
    return last;
  }

  static ProgramException wrong(String complaint, Launch launch) {
    return new ProgramException(complaint + ": " + ProgramText.line(launch));
  }
}
