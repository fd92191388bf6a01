package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;

/**
 * Rows of floats times a few rows of activations: lanes load sixteen bytes of weights each, several
 * loads on their way at once, and multiply them as floats with activations from the nearest cache.
 */
final class FloatVector {
  private final VectorShape shape;
  private final RowLayout.Floats floats;
  private final int vectorBytes;
  private final int vectors;
  private final PtxWriter w;

  FloatVector(VectorShape shape) {
    this.shape = shape;
    var layout = shape.product().layout();
    floats = layout.floats();
    // What divides a row, so that every row begins where a load may.
    vectorBytes = Math.min(16, Integer.lowestOneBit(layout.rowBytes()));
    vectors = layout.rowBytes() / vectorBytes;
    w = new PtxWriter(shape.name());
  }

  PtxFunction function() {
    var begun = shape.begin(w);
    int whole = vectors / 32;
    // Activations of many rows take the registers that more loads would need.
    int loads = shape.rows() > 2 ? 1 : shape.inFlight();
    int most = loads / (shape.outputsAWarp() * shape.product().weights());
    int turns = Math.clamp(Integer.lowestOneBit(Math.max(1, whole)), 1, Math.max(1, most));
    w.note("the first weights are on their way before activations are there");
    var first = whole > 0 ? load(begun, begun.lane(), turns) : List.<List<List<B32>>>of();
    shape.awaitActivations(w);
    var x = IntStream.range(0, shape.rows()).mapToObj(row -> shape.xRow(w, begun, row)).toList();
    var rows = new Rows(x, shape.sums(w), shape.squares(w), begun.parameters().norm());
    if (whole > turns) {
      loop(begun, first, whole, rows);
    } else {
      multiply(first, begun.lane(), rows);
    }
    if (vectors % 32 != 0) {
      w.note("what is left of a row, for some of the lanes");
      w.when(
          w.isUnsigned(Compare.LT, begun.lane(), imm(vectors % 32)),
          () -> {
            var place = w.add(begun.lane(), imm(32 * whole));
            multiplyOne(load(begun.weights(), place), place, rows);
          });
    }
    rows.squares.forEach(each -> VectorShape.addLanes(w, each));
    var factors = rows.squares.stream().map(each -> shape.factor(w, each)).toList();
    shape.end(w, begun, rows.sums, factors);
    return w.function();
  }

  /** Turn after turn: the next weights are on their way while these are multiplied. */
  private void loop(VectorShape.Begun begun, List<List<List<B32>>> first, int whole, Rows rows) {
    int turns = first.size();
    var mine = mapped(first, word -> w.called("w").mov(word));
    var place = w.called("vector").mov(begun.lane());
    w.repeat(
        () -> {
          var next = w.add(place, imm(32 * turns));
          var loaded = load(begun, next, turns);
          multiply(mine, place, rows);
          for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < loaded.get(turn).size(); i++) {
              var from = loaded.get(turn).get(i);
              var to = mine.get(turn).get(i);
              for (int j = 0; j < to.size(); j++) w.into(to.get(j)).mov(from.get(j));
            }
          }
          w.into(place).mov(next);
          return w.isUnsigned(Compare.LT, next, imm(32 * (whole - turns)));
        });
    multiply(mine, place, rows);
  }

  private static List<List<List<B32>>> mapped(List<List<List<B32>>> all, UnaryOperator<B32> by) {
    return all.stream()
        .map(turn -> turn.stream().map(row -> row.stream().map(by).toList()).toList())
        .toList();
  }

  /** Vectors of each of the warp's rows, and that for as many turns as go together. */
  private List<List<List<B32>>> load(VectorShape.Begun begun, B32 from, int turns) {
    var loaded = new ArrayList<List<List<B32>>>();
    for (int turn = 0; turn < turns; turn++) {
      loaded.add(load(begun.weights(), turn == 0 ? from : w.add(from, imm(32 * turn))));
    }
    return loaded;
  }

  private void multiply(List<List<List<B32>>> turns, B32 place, Rows rows) {
    for (int turn = 0; turn < turns.size(); turn++) {
      multiplyOne(turns.get(turn), turn == 0 ? place : w.add(place, imm(32 * turn)), rows);
    }
  }

  /** Rows of activations, and what is added up of them. */
  private record Rows(List<B64> x, List<F32> sums, List<F32> squares, Optional<B64> norm) {}

  /** The words of a vector of each of the warp's rows. */
  private List<List<B32>> load(List<B64> rows, B32 place) {
    var loaded = new ArrayList<List<B32>>();
    for (var row : rows) {
      var at = Mem.global(w.madWide(place, imm(vectorBytes), row));
      loaded.add(
          switch (vectorBytes) {
            case 2 -> List.of(w.loadShort(at, Cache.STREAMED));
            case 4 -> List.of(w.load(at, Cache.STREAMED));
            default -> w.loadWords(vectorBytes / 4, at, Cache.STREAMED);
          });
    }
    return loaded;
  }

  private void multiplyOne(List<List<B32>> loaded, B32 place, Rows rows) {
    if (floats != RowLayout.Floats.F32) w.note(floats + " in pairs become floats");
    var weights = loaded.stream().map(this::values).toList();
    int count = vectorBytes / floats.bytes();
    var norm = rows.norm().map(from -> normWeights(place, from, count));
    for (int row = 0; row < shape.rows(); row++) {
      var at = Mem.global(w.madWide(place, imm(count * Float.BYTES), rows.x().get(row)));
      w.note("times row " + row + "'s activations");
      var activations = new ArrayList<>(floats(at, count, Cache.PLAIN));
      if (norm.isPresent()) {
        var squares = rows.squares().get(row);
        for (int j = 0; j < count; j++) {
          var x = activations.get(j);
          w.into(squares).fma(x, x, squares);
          activations.set(j, w.mul(x, norm.get().get(j)));
        }
      }
      for (int i = 0; i < weights.size(); i++) {
        var sum = rows.sums().get(i * shape.rows() + row);
        for (int j = 0; j < count; j++) {
          w.into(sum).fma(weights.get(i).get(j), activations.get(j), sum);
        }
      }
    }
  }

  private List<F32> normWeights(B32 place, B64 from, int count) {
    float offset = shape.product().norm().orElseThrow().offset();
    var at = Mem.global(w.madWide(place, imm(count * Float.BYTES), from));
    var read = floats(at, count, Cache.READ_ONLY);
    return offset == 0 ? read : read.stream().map(each -> w.add(each, real(offset))).toList();
  }

  private List<F32> floats(Mem at, int count, Cache cache) {
    var all = new ArrayList<F32>();
    int step = Math.min(4, count);
    for (int i = 0; i < count; i += step) {
      var from = at.plus(i * Float.BYTES);
      all.addAll(step == 1 ? List.of(w.loadReal(from, cache)) : w.loadReals(step, from, cache));
    }
    return all;
  }

  private List<F32> values(List<B32> words) {
    var values = new ArrayList<F32>();
    for (var word : words) {
      switch (floats) {
        case F32 -> values.add(w.realOf(word));
        case F16 -> {
          values.add(w.toReal(w.lowHalf(word)));
          values.add(w.toReal(w.highHalf(word)));
        }
        case BF16 -> {
          values.add(w.lowBfloat(word));
          values.add(w.highBfloat(word));
        }
      }
    }
    return values;
  }
}
