package weft.cuda.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import weft.backend.KvLayout;
import weft.backend.KvType;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.interpret.InterpretedDriver;
import weft.cuda.ptx.PtxCheck;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxModule;
import weft.ir.DType;
import weft.ir.Op;
import weft.ir.Slot;

/** Rows of two sequences, whose queries, keys and values lie side by side. */
class StoreKvTest {
  private static final int PART_BYTES = 24;
  private static final int ROWS = 7;

  /** The first rows are of the second sequence, which goes over to its second page. */
  private static final int[] OWNERS = {1, 1, 1, 1, 1, 0, 0};

  private static final int[] PLACES = {61, 62, 63, 64, 65, 0, 1};

  private final InterpretedDriver driver = new InterpretedDriver();
  private final Random random = new Random(18);

  private static Slot.KeyValue slot(int heads, int keyDim, int valueDim) {
    return new Slot.KeyValue("kv", heads, keyDim, valueDim, Slot.UNBOUNDED);
  }

  private static int width(Slot.KeyValue slot, int heads) {
    return heads * slot.keyDim() + slot.heads() * (slot.keyDim() + slot.valueDim());
  }

  private static StoreKv store(
      Slot.KeyValue slot, KvType type, int heads, Turning turning, int most) {
    int row = width(slot, heads);
    return new StoreKv(
        slot,
        type,
        turning,
        lie(heads, slot.keyDim(), row),
        lie(heads, slot.keyDim(), heads * slot.keyDim()),
        lie(slot.heads(), slot.keyDim(), row),
        lie(slot.heads(), slot.valueDim(), row),
        PART_BYTES,
        most);
  }

  private static Strided lie(int heads, int width, int row) {
    return new Strided(DType.F32, List.of(heads, width), List.of(row, width, 1));
  }

  private void check(Slot.KeyValue slot, KvType type, int heads, Turning turning, float within) {
    for (int most : List.of(1, StoreKv.SEVERAL)) {
      check(store(slot, type, heads, turning, most), heads, within);
    }
  }

  private void check(StoreKv store, int heads, float within) {
    var slot = store.slot();
    var turning = store.turning();
    int width = width(slot, heads);
    var x = new float[ROWS * width];
    for (int i = 0; i < x.length; i++) x[i] = (float) random.nextGaussian();
    var frequencies = new float[turning.sections() * turning.pairs()];
    for (int i = 0; i < frequencies.length; i++) frequencies[i] = random.nextFloat();
    var positions = new int[ROWS * turning.sections()];
    for (int i = 0; i < positions.length; i++) positions[i] = random.nextInt(100_000);
    var layout = KvLayout.of(slot, store.type());
    var pages = new long[] {driver.allocate(layout.pageBytes()), 0, 0};
    for (int i = 1; i < 3; i++) pages[i] = driver.allocate(layout.pageBytes());
    long first = upload(MemorySegment.ofArray(new long[] {pages[0]}));
    long second = upload(MemorySegment.ofArray(new long[] {pages[1], pages[2]}));
    long tables = upload(MemorySegment.ofArray(new long[] {first, 0, 0, second, 0, 0}));
    long turned = driver.allocate((long) ROWS * heads * slot.keyDim() * Float.BYTES);
    long q = upload(MemorySegment.ofArray(x));
    long k = q + (long) heads * slot.keyDim() * Float.BYTES;
    long v = k + (long) slot.heads() * slot.keyDim() * Float.BYTES;
    var function = store.kernel();
    driver.launch(
        driver.module(PtxModule.text(List.of(function))).function(function.name()),
        Grid.of(store.blocks(ROWS), StoreKv.THREADS),
        q,
        turned,
        k,
        v,
        frequencies.length == 0 ? 0 : upload(MemorySegment.ofArray(frequencies)),
        upload(MemorySegment.ofArray(positions)),
        upload(MemorySegment.ofArray(PLACES)),
        upload(MemorySegment.ofArray(OWNERS)),
        tables,
        ROWS);
    for (int row = 0; row < ROWS; row++) {
      int at = row * width;
      var angles = angles(turning, frequencies, positions, row);
      for (int head = 0; head < heads; head++, at += slot.keyDim()) {
        long from = turned + (long) (row * heads + head) * slot.keyDim() * Float.BYTES;
        var got = floats(from, slot.keyDim());
        near(got, turned(turning, x, at, slot.keyDim(), angles), 1e-4f, "query");
      }
      long page = pages[OWNERS[row] == 0 ? 0 : 1 + PLACES[row] / KvLayout.POSITIONS];
      for (int head = 0; head < slot.heads(); head++, at += slot.keyDim()) {
        var got = decoded(layout, page + layout.keyAt(head, PLACES[row]), slot.keyDim());
        near(got, turned(turning, x, at, slot.keyDim(), angles), within, "key");
      }
      for (int head = 0; head < slot.heads(); head++, at += slot.valueDim()) {
        var got = decoded(layout, page + layout.valueAt(head, PLACES[row]), slot.valueDim());
        near(got, Arrays.copyOfRange(x, at, at + slot.valueDim()), within, "value");
      }
    }
  }

  private static double[] angles(Turning turning, float[] frequencies, int[] positions, int row) {
    var angles = new double[turning.pairs()];
    for (int pair = 0; pair < angles.length; pair++) {
      float sum = 0;
      for (int s = 0; s < turning.sections(); s++) {
        sum += frequencies[s * turning.pairs() + pair] * positions[row * turning.sections() + s];
      }
      angles[pair] = sum;
    }
    return angles;
  }

  private static float[] turned(Turning turning, float[] x, int at, int width, double[] angles) {
    var turned = Arrays.copyOfRange(x, at, at + width);
    for (int pair = 0; pair < angles.length; pair++) {
      boolean areHalves = turning.pairing() == Op.Pairing.HALVES;
      int i = areHalves ? pair : 2 * pair;
      int j = areHalves ? pair + turning.pairs() : 2 * pair + 1;
      double cos = turning.scale() * Math.cos(angles[pair]);
      double sin = turning.scale() * Math.sin(angles[pair]);
      turned[i] = (float) (x[at + i] * cos - x[at + j] * sin);
      turned[j] = (float) (x[at + j] * cos + x[at + i] * sin);
    }
    return turned;
  }

  private long upload(MemorySegment from) {
    long at = driver.allocate(from.byteSize());
    driver.upload(from, at);
    return at;
  }

  private float[] floats(long from, int count) {
    var to = MemorySegment.ofArray(new float[count]);
    driver.download(from, to);
    return to.toArray(ValueLayout.JAVA_FLOAT);
  }

  private float[] decoded(KvLayout layout, long from, int count) {
    var bytes = MemorySegment.ofArray(new byte[(int) layout.encoding().bytes(count)]);
    driver.download(from, bytes);
    var values = new float[count];
    layout.encoding().decode(bytes, 0, values, 0, count);
    return values;
  }

  private static void near(float[] got, float[] expected, float within, String what) {
    for (int i = 0; i < expected.length; i++) {
      assertThat(got[i])
          .as("element %d of a %s", i, what)
          .isCloseTo(expected[i], Offset.offset(within));
    }
  }

  private static Turning halves(int pairs) {
    return new Turning(pairs, 1, Op.Pairing.HALVES, 1);
  }

  @Test
  void pairsOfOneLane() {
    check(slot(8, 64, 64), KvType.F16, 32, halves(32), 4e-3f);
    check(slot(1, 160, 32), KvType.F16, 3, halves(64), 4e-3f);
    check(slot(2, 64, 32), KvType.Q8_0, 6, halves(32), 3e-2f);
  }

  @Test
  void pairsOfSeveralLanes() {
    check(slot(2, 48, 40), KvType.F16, 6, halves(24), 4e-3f);
    check(slot(4, 80, 80), KvType.F32, 4, halves(16), 1e-4f);
    check(slot(1, 96, 64), KvType.Q8_0, 5, halves(48), 3e-2f);
    var neighbours = new Turning(32, 1, Op.Pairing.NEIGHBOURS, 1.5f);
    check(slot(2, 64, 64), KvType.F16, 4, neighbours, 8e-3f);
  }

  @Test
  void rowsOfSeveralPositionsAndHeadsThatDoNotTurn() {
    check(slot(2, 64, 64), KvType.F32, 4, new Turning(32, 3, Op.Pairing.HALVES, 1), 1e-4f);
    check(slot(2, 64, 96), KvType.F32, 4, Turning.NONE, 1e-6f);
  }

  /** More of a head than registers hold of four. */
  @Test
  void wideHeads() {
    check(slot(4, 576, 512), KvType.F16, 4, halves(32), 4e-3f);
  }

  @Test
  void nvidiasAssemblerTakesThem() throws Exception {
    var functions = new ArrayList<PtxFunction>();
    for (var type : List.of(KvType.F16, KvType.Q8_0)) {
      for (int most : List.of(1, StoreKv.SEVERAL)) {
        functions.add(store(slot(8, 64, 64), type, 32, halves(32), most).kernel());
      }
    }
    functions.add(store(slot(1, 576, 512), KvType.F16, 16, halves(32), 4).kernel());
    var said = PtxCheck.assemble("sm_80", List.of(PtxModule.text(functions)));
    assertThat(said).noneMatch(line -> line.matches(".* [1-9]\\d* bytes spill.*"));
  }
}
