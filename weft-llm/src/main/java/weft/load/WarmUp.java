package weft.load;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import weft.format.Checkpoint;
import weft.generate.Model;
import weft.lir.Bounds;

/** Does before anybody waits what the first texts would wait for. */
final class WarmUp {
  /** Bytes that are read between two words about it. */
  private static final long PIECE = 256L << 20;

  private final CompiledModel model;
  private final LoadOptions options;

  private WarmUp(CompiledModel model, LoadOptions options) {
    this.model = model;
    this.options = options;
  }

  /** Reads all weights, and runs each program that steps of any size will ask for. */
  static void of(CompiledModel model, Checkpoint checkpoint, LoadOptions options) {
    var warm = new WarmUp(model, options);
    // Experts in a budget are read when they are used, and would not all stay.
    if (options.experts().isEmpty()) {
      checkpoint.memory().stream().filter(MemorySegment::isMapped).forEach(warm::read);
    }
    var seen = new HashSet<Executables.Key>();
    int most = model.plan().limits().get(Phase.PREFILL).tokens();
    for (int tokens = 1; tokens < most; tokens *= 2) warm.run(tokens, seen);
    warm.run(most, seen);
  }

  /** Every page, with whatever threads the system reads ahead. */
  private void read(MemorySegment weights) {
    for (long at = 0; at < weights.byteSize(); at += PIECE) {
      weights.asSlice(at, Math.min(PIECE, weights.byteSize() - at)).load();
      options
          .progress()
          .accept("reading weights, %d of %d MiB".formatted(at >> 20, weights.byteSize() >> 20));
    }
  }

  /** A text of so many tokens, unless a program of its size has run. */
  private void run(int tokens, Set<Executables.Key> seen) {
    if (model.bytesFor(tokens) > model.memory().budget()) return;
    if (!seen.add(model.programOf(new Bounds(tokens, 1)))) return;
    options.progress().accept("warming up, %d tokens".formatted(tokens));
    try (var session = model.open()) {
      model.forward(List.of(new Model.Step(session, new int[tokens], 1)));
    }
  }
}
