package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.backend.KvType;
import weft.conformance.Rig.Layout;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Routing;
import weft.ir.Value;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Mixtures of experts: every way to choose, every encoding, together and in parts. */
final class ExpertRows {
  private static final int EXPERTS = 5;

  private ExpertRows() {}

  static List<Row> all() {
    var rows = new ArrayList<Row>();
    rows.add(routings("routings", 13, 7));
    // Sizes of real experts are whole vectors.
    rows.add(routings("routings of whole vectors", 64, 96));
    for (var encoding : Encodings.all()) rows.add(encoded(encoding));
    rows.add(mixtures());
    return rows;
  }

  private static Row routings(String title, int width, int inner) {
    var rig = new Rig();
    for (var scoring : Routing.Scoring.values()) {
      for (var weights : Routing.Weights.values()) {
        for (int used : List.of(1, 2, EXPERTS)) {
          for (var layout : Layout.values()) {
            var routing = new Routing(scoring, used, weights, 1.5f);
            var name = scoring + " " + weights + " " + used + " " + layout;
            rig.output(
                name, experts(rig, Encodings.F32, width, inner, routing, Fn.GELU_TANH, layout));
          }
        }
      }
    }
    return rig.row(title, Script.LONG);
  }

  private static Row encoded(Encoding encoding) {
    var rig = new Rig();
    var routing = new Routing(Routing.Scoring.SOFTMAX, 2, Routing.Weights.RENORMALIZED, 1);
    int block = encoding.blockValues();
    int width = block == 1 ? 32 : block;
    rig.output("experts", experts(rig, encoding, width, width, routing, Fn.SILU, Layout.WHOLE));
    return rig.row(
        "experts " + encoding.name(), Script.SHORT, KvType.F32, ProjectionRows.exactness(encoding));
  }

  /** Experts whose weights differ in encoding, as mixed quantizations have them. */
  private static Row mixtures() {
    var rig = new Rig();
    var routing = new Routing(Routing.Scoring.SOFTMAX, 2, Routing.Weights.RENORMALIZED, 1);
    int width = 256;
    var encodings = List.of(Encodings.Q8_0, Encodings.Q4_K, Encodings.F16);
    for (var gate : encodings) {
      for (var up : encodings) {
        var experts =
            new Op.Experts(
                rig.rows(width, Layout.WHOLE),
                rig.add(new Op.Scale(rig.rows(EXPERTS, Layout.WHOLE), 3)),
                rig.matrix(gate, EXPERTS, width, width),
                rig.matrix(up, EXPERTS, width, width),
                rig.matrix(Encodings.Q6_K, EXPERTS, width, width),
                Fn.SILU,
                routing);
        rig.output(gate.name() + " gates " + up.name(), rig.add(experts));
      }
    }
    return rig.row(
        "experts of several encodings", Script.SHORT, KvType.F32, Exactness.ACTIVATIONS_AS_BYTES);
  }

  private static Value experts(
      Rig rig, Encoding encoding, int width, int inner, Routing routing, Fn fn, Layout layout) {
    var scores = rig.add(new Op.Scale(rig.rows(EXPERTS, layout), 3));
    return rig.add(
        new Op.Experts(
            rig.rows(width, layout),
            scores,
            rig.matrix(encoding, EXPERTS, inner, width),
            rig.stackInParts(encoding, EXPERTS, inner, width),
            rig.matrix(encoding, EXPERTS, width, inner),
            fn,
            routing));
  }
}
