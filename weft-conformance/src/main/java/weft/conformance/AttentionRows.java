package weft.conformance;

import java.util.ArrayList;
import java.util.List;
import weft.backend.KvType;
import weft.conformance.Rig.Layout;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Value;

/** Attention over grouped heads, windows and soft caps, turned on the way in or not. */
final class AttentionRows {
  private AttentionRows() {}

  static List<Row> all() {
    var rows = new ArrayList<Row>();
    rows.add(oddSizes());
    for (var type : KvType.values()) rows.add(turned(type));
    for (var type : List.of(KvType.F32, KvType.F16)) rows.add(blocks(type));
    return rows;
  }

  private static Row oddSizes() {
    var rig = new Rig();
    for (int window : List.of(1, 3, 16, Slot.UNBOUNDED)) {
      attend(rig, "one head", 1, slot(rig, 1, 13, 13, window), 0, Layout.WHOLE);
      attend(rig, "a group", 6, slot(rig, 2, 33, 7, window), 0, Layout.PART);
      attend(rig, "many queries", 5, slot(rig, 1, 3, 65, window), 0, Layout.WHOLE);
      attend(rig, "soft cap", 3, slot(rig, 3, 16, 16, window), 5, Layout.PART);
    }
    var slot = slot(rig, 3, 13, 9, Slot.UNBOUNDED);
    rig.output(
        "cut heads",
        rig.add(
            new Op.Attend(
                slot,
                rig.cutHeads(6, 13),
                rig.cutHeads(3, 13),
                rig.cutHeads(3, 9),
                new Op.Scores(0.5f, 0))));
    return rig.row("attention", Script.LONG);
  }

  private static Slot.KeyValue slot(Rig rig, int heads, int keyDim, int valueDim, int window) {
    return new Slot.KeyValue(rig.freshName(), heads, keyDim, valueDim, window);
  }

  private static void attend(
      Rig rig, String name, int queries, Slot.KeyValue slot, float softCap, Layout layout) {
    var q = rig.heads(queries, slot.keyDim(), layout);
    var k = rig.heads(slot.heads(), slot.keyDim(), layout);
    var v = rig.heads(slot.heads(), slot.valueDim(), layout);
    var scores = new Op.Scores((float) (2 / Math.sqrt(slot.keyDim())), softCap);
    rig.output(name + " " + slot.window(), rig.add(new Op.Attend(slot, q, k, v, scores)));
  }

  /** Rows that see each other, and layers that share the memory of their keys and values. */
  private static Row blocks(KvType type) {
    var rig = new Rig();
    for (int window : List.of(3, 65, Slot.UNBOUNDED)) {
      attend(rig, "odd", 2, slot(rig, 2, 13, 13, window), 0, Layout.WHOLE);
      attend(rig, "a group", 6, slot(rig, 2, 32, 16, window), 0, Layout.PART);
      attend(rig, "capped", 1, slot(rig, 1, 16, 64, window), 5, Layout.PART);
    }
    // As wide as those of models, for which a device may have kernels of its own.
    attend(rig, "heads of 64", 4, slot(rig, 1, 64, 64, Slot.UNBOUNDED), 0, Layout.PART);
    attend(rig, "heads of 128", 2, slot(rig, 1, 128, 128, 65), 5, Layout.WHOLE);
    return rig.row("rows that see each other " + type, Script.BLOCKS, type, Exactness.of(type));
  }

  /** Heads of whole blocks, so that every type of state can keep them. */
  private static Row turned(KvType type) {
    var rig = new Rig();
    for (int window : List.of(3, Slot.UNBOUNDED)) {
      for (var pairing : Op.Pairing.values()) {
        for (int pairs : List.of(5, 16)) {
          var name = pairing + " " + pairs + " " + window;
          turn(rig, name, 4, new Slot.KeyValue(name, 2, 32, 64, window), pairing, pairs);
        }
      }
    }
    var wide = new Slot.KeyValue("heads of 64", 2, 64, 64, Slot.UNBOUNDED);
    turn(rig, "heads of 64", 4, wide, Op.Pairing.HALVES, 32);
    return rig.row("turned attention " + type, Script.LONG, type, Exactness.of(type));
  }

  private static void turn(
      Rig rig, String name, int queries, Slot.KeyValue slot, Op.Pairing pairing, int pairs) {
    Value q = rig.heads(queries, slot.keyDim(), Layout.PART);
    Value k = rig.heads(slot.heads(), slot.keyDim(), Layout.WHOLE);
    Value v = rig.heads(slot.heads(), slot.valueDim(), Layout.PART);
    rig.output(
        name,
        rig.add(
            new Op.RopeAttend(
                slot,
                q,
                k,
                v,
                new Op.Scores(0.2f, 0),
                rig.positions(),
                NormRows.frequencies(rig, pairs),
                pairing,
                1.1f)));
  }
}
