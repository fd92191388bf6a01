package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.conformance.Rig.Layout;
import weft.ir.Fn;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Value;
import weft.quant.Encodings;

/** The convolution over time and the delta rule. */
final class RecurrenceRows {
  private RecurrenceRows() {}

  static List<Row> all() {
    var rows = new ArrayList<Row>();
    rows.add(convolutions());
    for (var grouping : Op.Grouping.values()) rows.add(deltas(grouping));
    rows.add(manyTokens());
    return rows;
  }

  private static Row convolutions() {
    var rig = new Rig();
    for (int taps : List.of(0, 1, 3)) {
      for (int channels : List.of(1, 13, 65)) {
        for (var layout : Layout.values()) {
          var name = taps + " taps " + channels + " channels " + layout;
          var w = rig.weight(Encodings.F32, 0, 0.7, channels, taps + 1);
          var x = rig.rows(channels, layout);
          rig.output(name, rig.add(new Op.ShortConv(new Slot.Conv(name, taps, channels), x, w)));
        }
      }
    }
    return rig.row("convolutions", Script.LONG);
  }

  private static Row deltas(Op.Grouping grouping) {
    var rig = new Rig();
    delta(rig, "one head", 1, new Slot.Delta("d0", 1, 3, 1), grouping, Layout.WHOLE);
    delta(rig, "odd", 1, new Slot.Delta("d1", 3, 13, 7), grouping, Layout.PART);
    delta(rig, "groups", 2, new Slot.Delta("d2", 6, 33, 65), grouping, Layout.PART);
    delta(rig, "even", 4, new Slot.Delta("d3", 4, 16, 32), grouping, Layout.WHOLE);
    return rig.row("delta rule " + grouping, Script.LONG);
  }

  private static Row manyTokens() {
    var rig = new Rig();
    var slow = new Slot.Delta("slow", 2, 16, 32);
    delta(rig, "slow", 1, slow, Op.Grouping.BLOCKED, Layout.WHOLE, 1);
    // Gates near 0 and near 1: the decays of many tokens multiply to nothing.
    var vanishing = new Slot.Delta("vanishing", 2, 13, 7);
    delta(rig, "vanishing", 1, vanishing, Op.Grouping.BLOCKED, Layout.WHOLE, 100);
    return rig.row("delta rule over many tokens", Script.CHUNKS);
  }

  private static void delta(
      Rig rig, String name, int keyHeads, Slot.Delta slot, Op.Grouping grouping, Layout layout) {
    delta(rig, name, keyHeads, slot, grouping, layout, 1);
  }

  private static void delta(
      Rig rig,
      String name,
      int keyHeads,
      Slot.Delta slot,
      Op.Grouping grouping,
      Layout layout,
      float steepness) {
    // Keys of length 1 and gates between 0 and 1, as models have them: the state stays bounded.
    var q = rig.add(new Op.L2Norm(rig.heads(keyHeads, slot.keyDim(), layout), 1e-6f));
    var k = rig.add(new Op.L2Norm(rig.heads(keyHeads, slot.keyDim(), layout), 1e-6f));
    var v = rig.heads(slot.heads(), slot.valueDim(), layout);
    var decay = sigmoid(rig, rig.add(new Op.Scale(rig.rows(slot.heads(), layout), steepness)));
    var beta = sigmoid(rig, rig.rows(slot.heads(), layout));
    rig.output(name, rig.add(new Op.DeltaRule(slot, q, k, v, decay, beta, grouping)));
  }

  private static Value sigmoid(Rig rig, Value x) {
    return rig.add(new Op.Map(Fn.SIGMOID, x));
  }
}
