package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.TensorElement;

/**
 * What a thread brings into shared memory for one step of a tensor product: a run of weights and 16
 * activations, loaded as they are and rounded to factors when they are stored.
 */
final class TensorStage {
  /** Activations that a thread brings. */
  private static final int ACTIVATIONS = 16;

  /** The largest half. */
  private static final float LARGEST = 65504;

  private final PtxWriter w;
  private final RowLayout layout;
  private final TensorElement element;
  private int weights;

  /** How a packed run lies in registers. */
  private Optional<RunCode.Loaded> runs = Optional.empty();

  TensorStage(PtxWriter w, RowLayout layout) {
    this.w = w;
    this.layout = layout;
    boolean isBfloat = layout.form().isEmpty() && layout.floats() == RowLayout.Floats.BF16;
    element = isBfloat ? TensorElement.BF16 : TensorElement.F16;
  }

  void multiply(List<F32> sums, List<B32> a, List<B32> b) {
    w.multiply(element, sums, a, b);
  }

  private B32 run(B32 part, B32 step) {
    return w.minUnsigned(w.mad(step, imm(2), part), imm(count() - 1));
  }

  private int count() {
    return layout.columns() / PackedForm.RUN;
  }

  /** All that a thread brings in a step, in words: weights, then activations. */
  List<B32> load(B64 row, B64 x, B32 part, B32 quarter, B32 step) {
    var words = new ArrayList<B32>();
    var run = run(part, step);
    if (layout.form().isPresent()) {
      var loaded = new RunCode(w, layout).load(row, run);
      runs = Optional.of(loaded);
      words.addAll(loaded.words());
    } else {
      var from = Mem.global(w.madWide(run, imm(2 * PackedForm.RUN), row));
      for (int i = 0; i < 4; i++) {
        words.addAll(w.loadWords(4, from.plus(16 * i), Cache.STREAMED));
      }
    }
    weights = words.size();
    var half = w.shr(quarter, imm(1));
    var place = w.mad(run(half, step), imm(2), w.and(quarter, imm(1)));
    var from = Mem.global(w.madWide(place, imm(ACTIVATIONS * Float.BYTES), x));
    for (int i = 0; i < ACTIVATIONS / 4; i++) {
      words.addAll(w.loadWords(4, from.plus(16 * i), Cache.READ_ONLY));
    }
    return words;
  }

  /** The thread's run of weights as factors; beyond the last it is the last again. */
  void storeWeights(List<B32> loaded, Mem to) {
    List<B32> pairs;
    if (layout.form().isPresent()) {
      var code = new RunCode(w, layout);
      var run = runs.orElseThrow().in(loaded.subList(0, weights));
      pairs = pairs(code.values(code.take(run)));
    } else {
      pairs = loaded.subList(0, weights);
    }
    store(pairs, to);
  }

  private List<B32> pairs(List<F32> values) {
    var pairs = new ArrayList<B32>();
    for (int i = 0; i < values.size(); i += 2) {
      pairs.add(
          element == TensorElement.BF16
              ? w.toBfloats(values.get(i), values.get(i + 1))
              : w.toHalves(values.get(i), values.get(i + 1)));
    }
    return pairs;
  }

  private void store(List<B32> words, Mem to) {
    for (int i = 0; i < words.size(); i += 4) w.storeWords(to.plus(4 * i), words.subList(i, i + 4));
  }

  /** The thread's activations as factors; beyond the last they are zero. */
  void storeActivations(List<B32> loaded, B32 quarter, B32 step, Mem to) {
    var values = new ArrayList<F32>();
    for (var word : loaded.subList(weights, weights + ACTIVATIONS)) {
      values.add(inRange(w.realOf(word)));
    }
    if (count() % 2 != 0) {
      var run = w.mad(step, imm(2), w.shr(quarter, imm(1)));
      var exists = w.isUnsigned(Compare.LT, run, imm(count()));
      values.replaceAll(value -> w.select(exists, value, real(0)));
    }
    store(pairs(values), to);
  }

  /** What halves cannot be becomes the largest that they can; bfloat16 has the range of floats. */
  private F32 inRange(F32 value) {
    if (element == TensorElement.BF16) return value;
    return w.minOrNone(w.maxOrNone(value, real(-LARGEST)), real(LARGEST));
  }
}
