package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.backend.KvType;
import weft.conformance.Rig.Layout;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Op.Epilogue;
import weft.ir.Op.Prologue;
import weft.ir.Value;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Embeddings and products in every encoding, and every way a projection can be fused. */
final class ProjectionRows {
  private static final List<Integer> OUTPUTS = List.of(1, 3, 13, 34);

  private ProjectionRows() {}

  static List<Row> all() {
    var rows = new ArrayList<Row>();
    for (var encoding : Encodings.all()) {
      rows.add(products(encoding));
      rows.add(fusions(encoding));
    }
    rows.add(mixtures());
    return rows;
  }

  /** Nothing before the product, so that activations as bytes are exact: the tight tolerance. */
  private static Row products(Encoding encoding) {
    var rig = new Rig();
    for (int width : Rig.widths(encoding)) {
      var table = rig.matrix(encoding, Rig.VOCABULARY, width);
      rig.output("embed " + width, rig.add(new Op.Embed(table, rig.tokens())));
      for (var layout : Layout.values()) {
        var x = rig.rows(width, layout);
        for (int outputs : OUTPUTS) {
          var w = rig.matrix(encoding, outputs, width);
          var name = width + " to " + outputs + " " + layout;
          rig.output("linear " + name, rig.add(new Op.Linear(x, w)));
        }
        var many =
            project(
                rig,
                new Prologue.None(),
                x,
                encoding,
                Bias.PRESENT,
                new Epilogue.None(),
                13,
                1,
                34);
        rig.output("project " + width + " " + layout, many);
        var stream = rig.rows(35, layout);
        var added =
            project(
                rig,
                new Prologue.None(),
                x,
                encoding,
                Bias.ABSENT,
                new Epilogue.Add(stream),
                34,
                1);
        rig.output("project add " + width + " " + layout, added);
      }
    }
    int width = encoding.blockValues() == 1 ? 13 : encoding.blockValues();
    var heads = rig.heads(3, width, Layout.WHOLE);
    rig.output("linear heads", rig.add(new Op.Linear(heads, rig.matrix(encoding, 5, width))));
    rig.output(
        "linear cut heads",
        rig.add(new Op.Linear(rig.cutHeads(2, width), rig.matrix(encoding, 5, width))));
    return rig.row("products " + encoding.name(), Script.LONG);
  }

  /** Every prologue with every epilogue, with and without biases; layouts take turns. */
  private static Row fusions(Encoding encoding) {
    var rig = new Rig();
    int block = encoding.blockValues();
    int width = block < 256 ? Rig.widths(encoding).getLast() : block;
    int hidden = 35;
    var w = rig.weight(Encodings.F32, 1, 0.5, width);
    int turn = encoding.type().ordinal();
    for (var prologue :
        List.of(
            new Prologue.None(), new Prologue.Norm(w, 1e-5f, 0), new Prologue.Norm(w, 1e-5f, 1))) {
      for (var bias : Bias.values()) {
        var layout = Layout.values()[turn++ % Layout.values().length];
        var x = rig.rows(width, layout);
        for (var epilogue :
            List.of(
                new Epilogue.None(),
                new Epilogue.Add(rig.rows(hidden, layout)),
                new Epilogue.Gate(Fn.SILU),
                new Epilogue.Gate(Fn.GELU_TANH),
                new Epilogue.Map(Fn.GELU_TANH))) {
          var outputs =
              switch (epilogue) {
                case Epilogue.Gate _ -> new int[] {hidden, hidden};
                case Epilogue.None _, Epilogue.Add _, Epilogue.Map _ ->
                    new int[] {1, hidden - 4, 3};
              };
          var y = project(rig, prologue, x, encoding, bias, epilogue, outputs);
          rig.output(name(prologue) + " " + bias + " " + name(epilogue) + " " + layout, y);
        }
      }
    }
    return rig.row("fusions " + encoding.name(), Script.SHORT, KvType.F32, exactness(encoding));
  }

  private enum Bias {
    ABSENT,
    PRESENT
  }

  /** Floats meet floats exactly; a packed weight may ask for bytes. */
  static Exactness exactness(Encoding encoding) {
    return encoding.blockValues() == 1 ? Exactness.SUMS : Exactness.ACTIVATIONS_AS_BYTES;
  }

  private static String name(Prologue prologue) {
    return switch (prologue) {
      case Prologue.None() -> "plain";
      case Prologue.Norm(_, _, var offset) -> "norm+" + offset;
    };
  }

  private static String name(Epilogue epilogue) {
    return switch (epilogue) {
      case Epilogue.None() -> "none";
      case Epilogue.Add _ -> "add";
      case Epilogue.Gate(var fn) -> "gate " + fn;
      case Epilogue.Map(var fn) -> "map " + fn;
    };
  }

  private static Value project(
      Rig rig,
      Prologue prologue,
      Value x,
      Encoding encoding,
      Bias bias,
      Epilogue epilogue,
      int... outputs) {
    var weights = new ArrayList<Value>();
    var biases = new ArrayList<Value>();
    for (int count : outputs) {
      weights.add(rig.matrix(encoding, count, x.type().width()));
      if (bias == Bias.PRESENT) biases.add(rig.weight(Encodings.F32, 0, 1, count));
    }
    return rig.add(new Op.Project(prologue, x, weights, biases, epilogue));
  }

  /** One projection whose weights differ in encoding, as mixed quantizations have them. */
  private static Row mixtures() {
    var rig = new Rig();
    int width = 256;
    var x = rig.rows(width, Layout.PART);
    var encodings =
        List.of(Encodings.Q8_0, Encodings.F32, Encodings.Q6_K, Encodings.Q4_0, Encodings.BF16);
    for (var first : encodings) {
      for (var second : encodings) {
        var w = List.of(rig.matrix(first, 13, width), rig.matrix(second, 13, width));
        var plain = new Op.Project(new Prologue.None(), x, w, List.of(), new Epilogue.None());
        var gated =
            new Op.Project(new Prologue.None(), x, w, List.of(), new Epilogue.Gate(Fn.SILU));
        rig.output(first.name() + " beside " + second.name(), rig.add(plain));
        rig.output(first.name() + " gates " + second.name(), rig.add(gated));
      }
    }
    return rig.row("mixtures of encodings", Script.SHORT);
  }
}
