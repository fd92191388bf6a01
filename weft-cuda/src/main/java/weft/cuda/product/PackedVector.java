package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.F32;

/**
 * Packed rows times a few rows of activations. The block makes the activations bytes in its shared
 * memory ({@link ByteRows}); then every lane takes a run of 32 weights as it lies in memory,
 * multiplies it with the bytes of all rows, four at once, and only its sums are floats.
 */
final class PackedVector {
  private final VectorShape shape;
  private final PtxWriter w;
  private final RunCode code;
  private final ByteRows activations;
  private final int turns;

  PackedVector(VectorShape shape) {
    this.shape = shape;
    var layout = shape.product().layout();
    w = new PtxWriter(shape.name());
    code = new RunCode(w, layout);
    activations = new ByteRows(w, shape, layout.runs());
    // As many runs at once as keep enough loads on their way and leave none over.
    int steps = activations.padded() / 32;
    int most = shape.inFlight() / (shape.outputsAWarp() * shape.product().weights());
    turns = Math.clamp(Integer.lowestOneBit(steps), 1, Math.max(1, most));
  }

  int sharedBytes() {
    return activations.sharedBytes();
  }

  PtxFunction function() {
    var begun = shape.begin(w);
    var memory = w.called("memory").addressOf(w.dynamicShared());
    w.note("the first weights are on their way while activations become bytes");
    var first = load(begun, begun.lane(), activations::last);
    shape.awaitActivations(w);
    activations.make(begun, memory);
    w.barrier();
    w.note("from here on each warp is on its own");
    var sums = shape.sums(w);
    var place = w.called("place").mad(begun.lane(), imm(ByteRows.STEP), memory);
    if (activations.padded() == 32 * turns) {
      shape.lastAreOnTheirWay(w);
      multiply(first, Mem.shared(place), sums);
    } else {
      loop(begun, first, place, sums);
    }
    shape.end(w, begun, sums, activations.factors(memory));
    return w.function();
  }

  /** Turn after turn: the next weights are on their way while these are multiplied. */
  private void loop(
      VectorShape.Begun begun, List<RunCode.Loaded> first, B32 place, List<F32> sums) {
    var mine = first.stream().map(this::kept).toList();
    var run = w.called("run").mov(begun.lane());
    w.repeat(
        () -> {
          w.into(run).add(run, imm(32 * turns));
          var next = load(begun, run, activations::last);
          multiply(mine, Mem.shared(place), sums);
          w.into(place).add(place, imm(32 * turns * ByteRows.STEP));
          for (int i = 0; i < mine.size(); i++) {
            var from = next.get(i).words();
            var to = mine.get(i).words();
            for (int j = 0; j < to.size(); j++) w.into(to.get(j)).mov(from.get(j));
          }
          return w.isUnsigned(Compare.LT, run, imm(activations.padded() - 32 * turns));
        });
    shape.lastAreOnTheirWay(w);
    multiply(mine, Mem.shared(place), sums);
  }

  private RunCode.Loaded kept(RunCode.Loaded loaded) {
    return loaded.in(loaded.words().stream().map(word -> w.called("w").mov(word)).toList());
  }

  /** A run of each of the warp's weights, and that for as many turns as go together. */
  private List<RunCode.Loaded> load(VectorShape.Begun begun, B32 from, UnaryOperator<B32> there) {
    var loaded = new ArrayList<RunCode.Loaded>();
    for (int turn = 0; turn < turns; turn++) {
      var run = there.apply(turn == 0 ? from : w.add(from, imm(32 * turn)));
      begun.weights().forEach(row -> loaded.add(code.load(row, run)));
    }
    return loaded;
  }

  /** The runs of the warp's weights meet those of all rows. */
  private void multiply(List<RunCode.Loaded> loaded, Mem place, List<F32> sums) {
    int weights = loaded.size() / turns;
    for (int turn = 0; turn < turns; turn++) {
      var at = place.plus(turn * 32 * ByteRows.STEP);
      var taken =
          loaded.subList(turn * weights, (turn + 1) * weights).stream().map(code::take).toList();
      for (int row = 0; row < shape.rows(); row++) {
        w.note("times that run of row " + row);
        var quads = activations.quads(row, at);
        var scales = activations.scales(row, at);
        for (int i = 0; i < weights; i++) {
          add(taken.get(i), quads, scales, sums.get(i * shape.rows() + row));
        }
      }
    }
  }

  /**
   * Adds a run's product to a sum.
   *
   * @param x the scale of the activations, then the sums of their halves and of all
   */
  private void add(RunCode.Taken taken, List<B32> quads, List<F32> x, F32 sum) {
    int halves = taken.scales().size();
    for (int half = 0; half < halves; half++) {
      var dot = w.mov(imm(0));
      for (int q = 8 / halves * half; q < 8 / halves * (half + 1); q++) {
        dot = code.dot(taken.quads().get(q), quads.get(q), dot);
      }
      var scale = w.mul(taken.scales().get(half), x.get(0));
      w.into(sum).fma(scale, w.toReal(dot), sum);
      if (taken.minimums().isPresent()) {
        var xSum = x.get(halves == 1 ? 3 : 1 + half);
        w.into(sum).fma(w.neg(taken.minimums().get().get(half)), xSum, sum);
      }
    }
  }
}
