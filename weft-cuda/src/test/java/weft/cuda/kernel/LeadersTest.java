package weft.cuda.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import weft.backend.HostRow;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.interpret.InterpretedDriver;
import weft.cuda.ptx.PtxCheck;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxModule;

/** Peaks, and what leaders and the best find by them, are what a row in this memory tells. */
class LeadersTest {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  private final InterpretedDriver driver = new InterpretedDriver();

  private void launch(PtxFunction kernel, Grid grid, long... arguments) {
    var module = driver.module(PtxModule.text(List.of(kernel)));
    driver.launch(module.function(kernel.name()), grid, arguments);
  }

  private MemorySegment fetched(long address, long bytes) {
    var to = Arena.ofAuto().allocate(bytes, 16);
    driver.download(address, to);
    return to;
  }

  /**
   * Rows that end in elements which are none of theirs where they are longer than they are wide.
   */
  private void check(Peaks peaks, float[][] rows) {
    int count = rows.length;
    // Behind the last row nothing may be read.
    long elements = (long) (count - 1) * peaks.stride() + peaks.width();
    long at = driver.allocate(elements * Float.BYTES + 4) + (peaks.isAligned() ? 0 : 4);
    for (int i = 0; i < count; i++) {
      var row = MemorySegment.ofArray(rows[i]).asSlice(0, 4L * peaks.width());
      driver.upload(row, at + 4L * i * peaks.stride());
    }
    long found = driver.allocate(4L * count * peaks.runs());
    int blocks = Math.ceilDiv(peaks.runs(), Peaks.RUNS_A_BLOCK);
    launch(peaks.kernel(), Grid.of(blocks, count, Peaks.THREADS), found, at);
    long leaders = driver.allocate((long) count * Leaders.BYTES);
    launch(new Leaders(peaks).kernel(), Grid.of(count, Leaders.THREADS), leaders, found, at);
    long best = driver.allocate((long) count * Best.BYTES);
    launch(new Best(peaks).kernel(), Grid.of(count, Best.THREADS), best, found, at);
    for (int i = 0; i < count; i++) {
      var row = new HostRow(MemorySegment.ofArray(rows[i]), peaks.width());
      var led = fetched(leaders + (long) i * Leaders.BYTES, Leaders.BYTES);
      assertThat(Float.isFinite(led.get(FLOAT, 4))).as("row %d", i).isEqualTo(row.isFinite());
      if (!row.isFinite()) continue;
      requireSame("leaders of row " + i, led, row, Leaders.COUNT);
      var most = fetched(best + (long) i * Best.BYTES, Best.BYTES);
      requireSame("best of row " + i, most, row, Best.COUNT);
    }
    for (long memory : new long[] {found, leaders, best}) driver.free(memory);
  }

  private static void requireSame(String what, MemorySegment found, HostRow row, int count) {
    var indexes = new int[count];
    var values = new float[count];
    assertThat(row.greatest(count, indexes, values)).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(found.get(ValueLayout.JAVA_INT, 8L * i))
          .as("%s: %d", what, i)
          .isEqualTo(indexes[i]);
      // Zeros of either sign are one.
      assertThat(found.get(FLOAT, 8L * i + 4) == values[i]).as("%s: %d", what, i).isTrue();
    }
  }

  private static float[][] rows(Random random, int count, int width, int levels) {
    var rows = new float[count][width];
    for (var row : rows) {
      for (int i = 0; i < width; i++) {
        float value = levels == 0 ? (float) random.nextGaussian() : random.nextInt(levels) - 2f;
        row[i] = value == 0 && random.nextBoolean() ? -0f : value;
      }
    }
    return rows;
  }

  @Test
  void rowsOfAnyWidth() {
    var random = new Random(7);
    for (int width : new int[] {128, 129, 2048, 4099}) {
      check(new Peaks(width, width, width % 4 == 0), rows(random, 2, width, 0));
      check(new Peaks(width, width + 5, false), rows(random, 2, width, 0));
      check(new Peaks(width, width + 8 - width % 4, true), rows(random, 2, width, 0));
    }
  }

  @Test
  void equalsGoByTheirIndex() {
    var random = new Random(8);
    for (int levels : new int[] {1, 2, 3, 5}) {
      check(new Peaks(2052, 2052, true), rows(random, 2, 2052, levels));
    }
  }

  @Test
  void vocabulariesOfRealModels() {
    var random = new Random(9);
    // Of the second, peaks alone are more than are sorted at once.
    check(new Peaks(128_256, 128_256, true), rows(random, 1, 128_256, 0));
    check(new Peaks(300_001, 300_001, false), rows(random, 1, 300_001, 4000));
  }

  @Test
  void oneElementThatIsNotFinite() {
    for (float value : new float[] {Float.NaN, -Float.NaN, 1f / 0, -1f / 0}) {
      var rows = new ArrayList<float[]>();
      for (int at : new int[] {0, 64, 2050}) {
        var row = rows(new Random(at), 1, 2052, 0)[0];
        row[at] = value;
        rows.add(row);
      }
      check(new Peaks(2052, 2052, true), rows.toArray(new float[0][]));
    }
  }

  @Test
  void nvidiasAssemblerTakesThem() throws Exception {
    var functions = new ArrayList<PtxFunction>();
    functions.add(new PutWords().kernel());
    for (var peaks : List.of(new Peaks(128_256, 128_256, true), new Peaks(4099, 4099, false))) {
      functions.add(peaks.kernel());
      functions.add(new Leaders(peaks).kernel());
      functions.add(new Best(peaks).kernel());
    }
    var said = PtxCheck.assemble("sm_80", List.of(PtxModule.text(functions)));
    assertThat(said).noneMatch(line -> line.matches(".* [1-9]\\d* bytes spill.*"));
  }
}
