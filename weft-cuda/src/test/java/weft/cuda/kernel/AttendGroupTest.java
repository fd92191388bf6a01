package weft.cuda.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import weft.backend.KvType;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.kernel.AttendRig.Part;
import weft.cuda.ptx.PtxCheck;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxModule;
import weft.ir.Op;
import weft.ir.Slot;

class AttendGroupTest {
  private static final float CLOSE = 1e-5f;

  private static Slot.KeyValue slot(int heads, int keyDim, int valueDim, int window) {
    return new Slot.KeyValue("kv", heads, keyDim, valueDim, window);
  }

  private static AttendGroup group(AttendRig rig, boolean shares) {
    return new AttendGroup(
        rig.slot,
        rig.type,
        rig.heads,
        rig.scores,
        rig.queries(),
        rig.results(),
        AttendRig.PART_BYTES,
        shares);
  }

  private static void check(AttendRig rig, int shares, float tolerance) {
    assertThat(AttendGroup.takes(rig.slot, rig.type)).isTrue();
    var group = group(rig, shares > 1);
    long result = rig.room();
    int floats = rig.rows() * rig.heads * shares * Merge.floats(rig.slot.valueDim());
    long to = shares > 1 ? rig.driver.allocate(4L * floats) : result;
    rig.launch(
        group.kernel(),
        new Grid(group.blocks(), rig.rows(), shares, AttendGroup.THREADS, 0),
        to,
        rig.q(),
        rig.places(),
        rig.starts(),
        rig.ends(),
        rig.owners(),
        rig.tables());
    if (shares > 1) {
      var merge = new Merge(rig.heads, rig.slot.valueDim(), rig.results());
      var grid = new Grid(rig.heads, rig.rows(), 1, Merge.THREADS, 0);
      rig.launch(merge.kernel(), grid, result, to, shares);
    }
    rig.check("group of " + rig.type + " in " + shares, result, tolerance);
  }

  private static Op.Scores scores(int keyDim) {
    return new Op.Scores((float) (2 / Math.sqrt(keyDim)), 0);
  }

  @Test
  void rowsOfSequencesOfAnyLength() {
    for (var type : List.of(KvType.F16, KvType.Q8_0)) {
      check(
          new AttendRig(
              slot(2, 64, 64, Slot.UNBOUNDED),
              type,
              8,
              scores(64),
              Part.of(0, 1),
              Part.of(300, 2),
              Part.of(63, 1)),
          1,
          type == KvType.F16 ? CLOSE : 1e-3f);
    }
  }

  @Test
  void sharesAreJoinedThoughSomeAreEmpty() {
    for (int shares : List.of(2, 11)) {
      check(
          new AttendRig(
              slot(1, 96, 160, Slot.UNBOUNDED),
              KvType.F16,
              7,
              scores(96),
              Part.of(200, 1),
              Part.of(4, 1)),
          shares,
          CLOSE);
    }
  }

  @Test
  void moreHeadsThanABlockHas() {
    check(
        new AttendRig(slot(2, 16, 16, Slot.UNBOUNDED), KvType.F16, 22, scores(16), Part.of(70, 1)),
        1,
        CLOSE);
  }

  @Test
  void windowsCapsAndRowsThatSeeEachOther() {
    for (int window : List.of(1, 3, 70, Slot.UNBOUNDED)) {
      check(
          new AttendRig(
              slot(1, 48, 32, window),
              KvType.F16,
              2,
              new Op.Scores(1f, window == 70 ? 5 : 0),
              Part.of(140, 1),
              Part.block(62, 5)),
          1 + window % 2,
          CLOSE);
    }
  }

  @Test
  void wideHeads() {
    check(
        new AttendRig(slot(1, 256, 256, 40), KvType.F16, 8, scores(256), Part.of(75, 1)), 2, CLOSE);
  }

  @Test
  void nvidiasAssemblerTakesThem() throws Exception {
    var functions = new ArrayList<PtxFunction>();
    for (int width : List.of(64, 128, 256)) {
      for (var type : List.of(KvType.F16, KvType.Q8_0)) {
        var scores = new Op.Scores(1, width == 256 ? 50 : 0);
        var rig = new AttendRig(slot(8, width, width, 512), type, 32, scores);
        functions.add(group(rig, width == 64).kernel());
      }
    }
    functions.add(
        new Merge(32, 64, new AttendRig(slot(8, 64, 64, 8), KvType.F16, 32, scores(64)).results())
            .kernel());
    var said = PtxCheck.assemble("sm_80", List.of(PtxModule.text(functions)));
    assertThat(said).noneMatch(line -> line.matches(".* [1-9]\\d* bytes spill.*"));
  }
}
