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

class AttendTileTest {
  private static Slot.KeyValue slot(int heads, int keyDim, int valueDim, int window) {
    return new Slot.KeyValue("kv", heads, keyDim, valueDim, window);
  }

  private static AttendTile tile(AttendRig rig) {
    return new AttendTile(
        rig.slot,
        rig.type,
        rig.heads,
        rig.scores,
        rig.queries(),
        rig.results(),
        AttendRig.PART_BYTES);
  }

  private static void check(AttendRig rig, float tolerance) {
    assertThat(AttendTile.takes(rig.slot, rig.type, rig.heads)).isTrue();
    var tile = tile(rig);
    int tiles = tile.tiles(rig.rows(), rig.parts.size());
    var grid = new Grid(tiles, rig.slot.heads(), 1, AttendTile.THREADS, tile.sharedBytes());
    long result = rig.room();
    rig.launch(
        tile.kernel(),
        grid,
        result,
        rig.q(),
        rig.places(),
        rig.starts(),
        rig.ends(),
        rig.entries(),
        rig.parts.size(),
        rig.tables());
    rig.check("tile of " + rig.type, result, tolerance);
  }

  private static Op.Scores scores(int keyDim) {
    return new Op.Scores((float) (2 / Math.sqrt(keyDim)), 0);
  }

  @Test
  void sequencesOfAnyLengthHaveTheirOwnTiles() {
    var parts = new Part[] {Part.of(60, 35), Part.of(0, 1), Part.of(3, 17), Part.of(130, 2)};
    check(
        new AttendRig(slot(1, 16, 32, Slot.UNBOUNDED), KvType.F16, 4, scores(16), parts), 1.5e-3f);
  }

  @Test
  void groupsThatLeaveRowsOfATileOver() {
    var rig =
        new AttendRig(slot(2, 48, 16, Slot.UNBOUNDED), KvType.F16, 14, scores(48), Part.of(70, 11));
    check(rig, 1.5e-3f);
  }

  @Test
  void windowsEndAndRowsThatSeeEachOther() {
    for (int window : List.of(1, 3, 70)) {
      check(
          new AttendRig(
              slot(1, 32, 32, window),
              KvType.F16,
              2,
              scores(32),
              Part.of(140, 40),
              Part.block(30, 37)),
          1.5e-3f);
    }
  }

  @Test
  void scoresWithinACap() {
    check(
        new AttendRig(
            slot(1, 64, 64, Slot.UNBOUNDED), KvType.F16, 1, new Op.Scores(1f, 5), Part.of(0, 70)),
        1.5e-3f);
  }

  @Test
  void bytesAreUnpackedOnTheirWay() {
    check(
        new AttendRig(slot(2, 32, 64, Slot.UNBOUNDED), KvType.Q8_0, 6, scores(32), Part.of(66, 23)),
        2e-3f);
  }

  /** Wide heads: half a page at a time, and queries in shared memory. */
  @Test
  void wideHeads() {
    for (var type : List.of(KvType.F16, KvType.Q8_0)) {
      check(
          new AttendRig(slot(1, 160, 256, 40), type, 2, scores(160), Part.of(75, 20)),
          type == KvType.F16 ? 1.5e-3f : 2e-3f);
    }
  }

  @Test
  void floatsAndOddHeadsAreNotRounded() {
    var rig = new AttendRig(slot(1, 24, 32, 8), KvType.F16, 1, scores(24), Part.of(0, 1));
    assertThat(AttendTile.takes(rig.slot, KvType.F16, 1)).isFalse();
    var whole = slot(1, 32, 32, 8);
    assertThat(AttendTile.takes(whole, KvType.F32, 1)).isFalse();
    assertThat(AttendTile.takes(whole, KvType.F16, 65)).isFalse();
  }

  @Test
  void nvidiasAssemblerTakesThem() throws Exception {
    var functions = new ArrayList<PtxFunction>();
    for (int width : List.of(64, 128, 256)) {
      for (var type : List.of(KvType.F16, KvType.Q8_0)) {
        var rig =
            new AttendRig(
                slot(8, width, width, 512), type, 32, new Op.Scores(1, width == 256 ? 50 : 0));
        assertThat(tile(rig).sharedBytes()).isLessThanOrEqualTo(99 * 1024);
        functions.add(tile(rig).kernel());
      }
    }
    var said = PtxCheck.assemble("sm_80", List.of(PtxModule.text(functions)));
    assertThat(said).noneMatch(line -> line.matches(".* [1-9]\\d* bytes spill.*"));
  }
}
