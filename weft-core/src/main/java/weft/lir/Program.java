package weft.lir;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.ir.Slot;

/**
 * A compiled graph: buffers with their places, launches that run once at load and launches that run
 * each step, in order. Plain data: it can be printed, compared, stored, interpreted, or turned into
 * machine code. One that exists is sound, wherever it came from: {@link ProgramCheck} has seen it.
 *
 * @param alignment where its buffers begin, in bytes
 * @param inputs the buffers that hold rows of numbers which a step brings, filled before it begins
 */
public record Program(
    Bounds bounds,
    int alignment,
    List<Region> regions,
    Map<String, Operand.View> inputs,
    List<Launch> setup,
    List<Launch> steps,
    List<Slot> slots,
    Map<String, Operand.View> outputs) {
  public Program {
    regions = List.copyOf(regions);
    setup = List.copyOf(setup);
    steps = List.copyOf(steps);
    slots = List.copyOf(slots);
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    ProgramCheck.check(bounds, alignment, regions, inputs, setup, steps, slots, outputs);
  }

  /** The bytes that all buffers of one lifetime take together. */
  public long bytes(Region.Lifetime lifetime) {
    return regions.stream()
        .filter(r -> r.lifetime() == lifetime)
        .mapToLong(r -> r.offset() + r.bytes())
        .max()
        .orElse(0);
  }

  /** Throws a {@link ProgramException} where no step can run this. */
  public void requireRunnable() {
    RunCheck.check(this);
  }

  @Override
  public String toString() {
    return ProgramText.print(this);
  }
}
