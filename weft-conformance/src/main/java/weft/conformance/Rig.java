package weft.conformance;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import weft.backend.KvType;
import weft.backend.Weights;
import weft.ir.Dim;
import weft.ir.Graph;
import weft.ir.Op;
import weft.ir.Type;
import weft.ir.Value;
import weft.lir.Bounds;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** A row in the making: sources of numbers in every layout, weights in every encoding. */
final class Rig {
  static final int VOCABULARY = 64;

  /** How a value lies in memory. */
  enum Layout {
    /** Rows behind each other. */
    WHOLE,
    /** Columns out of wider rows. */
    PART
  }

  private final Graph.Builder graph = new Graph.Builder();
  private final Map<String, Weights.Tensor> tensors = new LinkedHashMap<>();
  private final Map<Integer, Value> sources = new HashMap<>();
  private final SplittableRandom random = new SplittableRandom(11);
  private final Value tokens = graph.add(new Op.Input("tokens", Type.i32(Bounds.TOKENS)));
  private final Value positions = graph.add(new Op.Input("positions", Type.i32(Bounds.TOKENS)));
  private final Value wanted = graph.add(new Op.Input("wanted", Type.i32(Bounds.WANTED)));

  private int names;

  Value tokens() {
    return tokens;
  }

  Value positions() {
    return positions;
  }

  Value wanted() {
    return wanted;
  }

  Value add(Op op) {
    return graph.add(op);
  }

  /** A name that no other slot of this row has. */
  String freshName() {
    return "slot" + names++;
  }

  void output(String name, Value value) {
    graph.output(name, value);
  }

  Row row(String name, Script script) {
    return row(name, script, KvType.F32, Exactness.SUMS);
  }

  Row row(String name, Script script, KvType kvType, Exactness exactness) {
    return new Row(name, graph.build(), tensors, script, kvType, exactness);
  }

  /** Rows that the step brings: f32[T, width]. */
  Value input(String name, int width) {
    return add(new Op.Input(name, Type.f32(Bounds.TOKENS, Dim.of(width))));
  }

  /** Activations: f32[T, width], each token its own row; the two layouts hold different numbers. */
  Value rows(int width, Layout layout) {
    return switch (layout) {
      case WHOLE -> embedded(width);
      case PART -> add(new Op.Slice(embedded(width + 11), 5, 5 + width));
    };
  }

  /** Activations in heads: f32[T, heads, width]. */
  Value heads(int heads, int width, Layout layout) {
    return add(new Op.Heads(rows(heads * width, layout), heads));
  }

  /** Heads that are themselves cut out of wider heads: no row is contiguous. */
  Value cutHeads(int heads, int width) {
    return add(new Op.Slice(heads(heads, width + 3, Layout.WHOLE), 1, 1 + width));
  }

  private Value embedded(int width) {
    return sources.computeIfAbsent(
        width,
        w -> {
          var table = new float[VOCABULARY * w];
          for (int i = 0; i < table.length; i++) table[i] = activation(i % w);
          return add(new Op.Embed(tensor(Encodings.F32, table, VOCABULARY, w), tokens));
        });
  }

  /**
   * A multiple of 1/128 with a largest one among any 16 neighbours, so that a block of 32 or 256
   * loses nothing when it is made bytes with one scale.
   */
  private float activation(int column) {
    int whole = column % 16 == 0 ? 127 : random.nextInt(-127, 128);
    return (random.nextBoolean() ? whole : -whole) / 128f;
  }

  /** A matrix whose products with activations are about 1. */
  Value matrix(Encoding encoding, int... shape) {
    return tensor(encoding, numbers(0, 3 / Math.sqrt(shape[shape.length - 1]), shape), shape);
  }

  /** A stack of matrices, each a part of its own, as files with one tensor an expert have it. */
  Value stackInParts(Encoding encoding, int... shape) {
    var values = numbers(0, 3 / Math.sqrt(shape[shape.length - 1]), shape);
    return stored(encoding, values, shape[0], shape);
  }

  /** Float rows of which each comes so often, one behind the other. */
  Value repeated(int rows, int copies, int width) {
    var once = numbers(0, 3 / Math.sqrt(width), rows, width);
    var values = new float[copies * once.length];
    for (int row = 0; row < rows * copies; row++) {
      System.arraycopy(once, row / copies * width, values, row * width, width);
    }
    return tensor(Encodings.F32, values, rows * copies, width);
  }

  /** Float rows whose products are numbers but in one row, which has {@code value} in its front. */
  Value broken(int rows, int width, int row, float value) {
    var values = numbers(0, 3 / Math.sqrt(width), rows, width);
    values[row * width] = value;
    return tensor(Encodings.F32, values, rows, width);
  }

  /** Numbers of either sign around a centre. */
  Value weight(Encoding encoding, double centre, double spread, int... shape) {
    return tensor(encoding, numbers(centre, spread, shape), shape);
  }

  private float[] numbers(double centre, double spread, int... shape) {
    int count = 1;
    for (int size : shape) count *= size;
    var values = new float[count];
    for (int i = 0; i < count; i++)
      values[i] = (float) (centre + random.nextDouble(-spread, spread));
    return values;
  }

  private Value tensor(Encoding encoding, float[] values, int... shape) {
    return stored(encoding, values, 1, shape);
  }

  private Value stored(Encoding encoding, float[] values, int parts, int... shape) {
    var name = "w" + tensors.size();
    var type = Type.f32(shape);
    var bytes = new ArrayList<MemorySegment>();
    int perPart = values.length / parts;
    for (int part = 0; part < parts; part++) {
      // An odd address: no format promises more than bytes.
      long size = encoding.bytes(perPart);
      var memory = Arena.ofAuto().allocate(size + 1, 64).asSlice(1);
      if (encoding.blockValues() == 1) {
        encoding.encode(values, part * perPart, perPart, memory, 0);
      } else {
        Blocks.fill(encoding, values, memory, random);
      }
      bytes.add(memory);
    }
    tensors.put(name, new Weights.Tensor(name, type, encoding, bytes));
    return add(new Op.Weight(name, type));
  }

  /** Widths of whole blocks: odd ones where a block is one number. */
  static List<Integer> widths(Encoding encoding) {
    int block = encoding.blockValues();
    return block == 1 ? List.of(1, 3, 13, 33, 65, 207) : List.of(block, 3 * block);
  }
}
