package weft.cpu.kernel.recurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.HeadRows;

/** Recurrent state over the rows of two sequences, at every level of this machine. */
class RecurrenceTest {
  private static final int[] PART_ROWS = {1, 4};
  private static final int ROWS = 5;

  static Iterable<Isa> levels() {
    return Hosts.levels();
  }

  private static MemorySegment parts(Rig rig, MemorySegment[] states) {
    var table = rig.allocate(RecurrentPart.BYTES * states.length);
    int first = 0;
    for (int i = 0; i < states.length; i++) {
      new RecurrentPart(states[i], MemorySegment.NULL, 0, first, PART_ROWS[i], 0).write(table, i);
      first += PART_ROWS[i];
    }
    return table;
  }

  @ParameterizedTest
  @MethodSource("levels")
  void convolutionsKeepWhatComesBefore(Isa isa) {
    for (int channels : new int[] {1, 9, 64, 100, 131}) {
      for (int taps = 0; taps <= ShortConv.MOST_TAPS; taps++) convolve(isa, channels, taps);
    }
  }

  private static void convolve(Isa isa, int channels, int taps) {
    int xStride = channels + 3;
    try (var rig = new Rig(isa)) {
      var x = rig.randomFloats(ROWS * xStride, 1);
      var weights = rig.randomFloats((taps + 1) * channels, 1);
      var before = new float[2][];
      var states = new MemorySegment[2];
      for (int i = 0; i < 2; i++) {
        before[i] = rig.randomFloats(taps * channels, 1);
        states[i] = rig.floats(before[i]);
      }
      var out = rig.allocate(4L * ROWS * channels);
      var arguments =
          new ShortConvArguments(
              rig.floats(x),
              4L * xStride,
              rig.floats(weights),
              channels,
              parts(rig, states),
              out,
              4L * channels);
      var block = rig.allocate(ShortConvArguments.BYTES);
      arguments.write(block);
      var kernel = rig.library.shortConv(taps).orElseThrow();
      kernel.run(block, 0, 1, MemorySegment.NULL);
      kernel.run(block, 1, arguments.units(2), MemorySegment.NULL);

      var expected = new float[ROWS * channels];
      int row = 0;
      for (int i = 0; i < 2; i++) {
        for (int n = 0; n < PART_ROWS[i]; n++, row++) {
          for (int c = 0; c < channels; c++) {
            double sum = (double) x[row * xStride + c] * weights[taps * channels + c];
            for (int t = 0; t < taps; t++) {
              sum += (double) before[i][t * channels + c] * weights[t * channels + c];
            }
            expected[row * channels + c] = (float) sum;
            for (int t = 0; t + 1 < taps; t++) {
              before[i][t * channels + c] = before[i][(t + 1) * channels + c];
            }
            if (taps > 0) before[i][(taps - 1) * channels + c] = x[row * xStride + c];
          }
        }
        assertThat(states[i].toArray(ValueLayout.JAVA_FLOAT)).containsExactly(before[i]);
      }
      assertThat(out.toArray(ValueLayout.JAVA_FLOAT))
          .as("%d channels, %d taps", channels, taps)
          .containsExactly(expected, Offset.offset(1e-5f));
    }
  }

  @ParameterizedTest
  @MethodSource("levels")
  void deltaRuleCorrectsAndReads(Isa isa) {
    delta(isa, 1, 1);
    delta(isa, 5, 7);
    delta(isa, 16, 48);
    delta(isa, 32, 77);
    delta(isa, 64, 128);
  }

  private static void delta(Isa isa, int keyDim, int valueDim) {
    int heads = 4;
    int keyHeads = 2;
    int[] keyHead = {0, 1, 0, 1};
    try (var rig = new Rig(isa)) {
      float unit = 1 / (float) Math.sqrt(keyDim);
      var q = rig.randomFloats(ROWS * keyHeads * keyDim, unit);
      var k = rig.randomFloats(ROWS * keyHeads * keyDim, unit);
      var v = rig.randomFloats(ROWS * heads * valueDim, 1);
      var decay = new float[ROWS * heads];
      var beta = new float[ROWS * heads];
      for (int i = 0; i < decay.length; i++) {
        decay[i] = 0.5f + 0.02f * i;
        beta[i] = 0.9f - 0.03f * i;
      }
      var before = new float[2][];
      var states = new MemorySegment[2];
      for (int i = 0; i < 2; i++) {
        before[i] = rig.randomFloats(heads * keyDim * valueDim, 1);
        states[i] = rig.floats(before[i]);
      }
      var numbers = rig.allocate(4L * heads);
      MemorySegment.copy(keyHead, 0, numbers, ValueLayout.JAVA_INT, 0, heads);
      var out = rig.allocate(4L * ROWS * heads * valueDim);
      var arguments =
          new DeltaRuleArguments(
              HeadRows.packed(rig.floats(q), keyHeads, keyDim),
              HeadRows.packed(rig.floats(k), keyHeads, keyDim),
              HeadRows.packed(rig.floats(v), heads, valueDim),
              HeadRows.packed(rig.floats(decay), heads, 1),
              HeadRows.packed(rig.floats(beta), heads, 1),
              heads,
              numbers,
              keyDim,
              valueDim,
              parts(rig, states),
              HeadRows.packed(out, heads, valueDim));
      var block = rig.allocate(DeltaRuleArguments.BYTES);
      arguments.write(block);
      var scratch = rig.allocate(arguments.scratchBytes());
      rig.library.deltaRule().run(block, 0, 3, scratch);
      rig.library.deltaRule().run(block, 3, arguments.units(2), scratch);

      var expected = new float[ROWS * heads * valueDim];
      int row = 0;
      for (int i = 0; i < 2; i++) {
        for (int n = 0; n < PART_ROWS[i]; n++, row++) {
          for (int h = 0; h < heads; h++) {
            int keyAt = (row * keyHeads + keyHead[h]) * keyDim;
            int valueAt = (row * heads + h) * valueDim;
            int stateAt = h * keyDim * valueDim;
            for (int d = 0; d < valueDim; d++) {
              double known = 0;
              for (int j = 0; j < keyDim; j++) {
                before[i][stateAt + j * valueDim + d] *= decay[row * heads + h];
                known += k[keyAt + j] * before[i][stateAt + j * valueDim + d];
              }
              double change = beta[row * heads + h] * (v[valueAt + d] - known);
              double read = 0;
              for (int j = 0; j < keyDim; j++) {
                before[i][stateAt + j * valueDim + d] += (float) (k[keyAt + j] * change);
                read += q[keyAt + j] * before[i][stateAt + j * valueDim + d];
              }
              expected[valueAt + d] = (float) read;
            }
          }
        }
        assertThat(states[i].toArray(ValueLayout.JAVA_FLOAT))
            .containsExactly(before[i], Offset.offset(1e-5f));
      }
      assertThat(out.toArray(ValueLayout.JAVA_FLOAT))
          .as("%d x %d", keyDim, valueDim)
          .containsExactly(expected, Offset.offset(1e-5f));
    }
  }

  /** A kernel over some of its rows, those of one sequence, with the draft that came before. */
  private interface Launch {
    void run(MemorySegment state, MemorySegment kept, int pending, int first, int rows, int draft);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void draftsLeaveTheStateAloneAndAreMadeUpForBitByBit(Isa isa) {
    for (int channels : new int[] {1, 9, 64, 131}) {
      for (int taps = 0; taps <= ShortConv.MOST_TAPS; taps++) draftConvolution(isa, channels, taps);
    }
    for (int[] size : new int[][] {{1, 1}, {5, 7}, {16, 48}, {32, 77}, {128, 128}}) {
      draftDelta(isa, size[0], size[1]);
    }
  }

  private static void draftConvolution(Isa isa, int channels, int taps) {
    try (var rig = new Rig(isa)) {
      var x = rig.floats(rig.randomFloats(ROWS * channels, 1));
      var weights = rig.floats(rig.randomFloats((taps + 1) * channels, 1));
      var out = rig.allocate(4L * ROWS * channels);
      var kernel = rig.library.shortConv(taps).orElseThrow();
      Launch launch =
          (state, kept, pending, first, rows, draft) -> {
            var table = rig.allocate(RecurrentPart.BYTES);
            new RecurrentPart(state, kept, pending, first, rows, draft).write(table, 0);
            var arguments =
                new ShortConvArguments(
                    x, 4L * channels, weights, channels, table, out, 4L * channels);
            var block = rig.allocate(ShortConvArguments.BYTES);
            arguments.write(block);
            kernel.run(block, 0, arguments.units(1), MemorySegment.NULL);
          };
      var before = rig.randomFloats(taps * channels, 1);
      drafts(rig, launch, before, channels, out, channels);
    }
  }

  private static void draftDelta(Isa isa, int keyDim, int valueDim) {
    int heads = 3;
    try (var rig = new Rig(isa)) {
      float unit = 1 / (float) Math.sqrt(keyDim);
      var q = rig.floats(rig.randomFloats(ROWS * keyDim, unit));
      var k = rig.floats(rig.randomFloats(ROWS * keyDim, unit));
      var v = rig.floats(rig.randomFloats(ROWS * heads * valueDim, 1));
      var decay = rig.floats(rig.randomFloats(ROWS * heads, 1));
      var beta = rig.floats(rig.randomFloats(ROWS * heads, 1));
      var keyHeads = rig.allocate(4L * heads);
      var out = rig.allocate(4L * ROWS * heads * valueDim);
      var scratch = rig.allocate(DeltaRule.packedBytes(keyDim));
      Launch launch =
          (state, kept, pending, first, rows, draft) -> {
            var table = rig.allocate(RecurrentPart.BYTES);
            new RecurrentPart(state, kept, pending, first, rows, draft).write(table, 0);
            var arguments =
                new DeltaRuleArguments(
                    HeadRows.packed(q, 1, keyDim),
                    HeadRows.packed(k, 1, keyDim),
                    HeadRows.packed(v, heads, valueDim),
                    HeadRows.packed(decay, heads, 1),
                    HeadRows.packed(beta, heads, 1),
                    heads,
                    keyHeads,
                    keyDim,
                    valueDim,
                    table,
                    HeadRows.packed(out, heads, valueDim));
            assertThat(arguments.scratchBytes()).isEqualTo(scratch.byteSize());
            var block = rig.allocate(DeltaRuleArguments.BYTES);
            arguments.write(block);
            rig.library.deltaRule().run(block, 0, arguments.units(1), scratch);
          };
      var before = rig.randomFloats(heads * keyDim * valueDim, 1);
      int kept = heads * DeltaRuleArguments.keptFloats(keyDim, valueDim);
      drafts(rig, launch, before, kept, out, heads * valueDim);
    }
  }

  /** Rows 0 and 1 and then three of a draft, of which some hold: as if each had been fed alone. */
  private static void drafts(
      Rig rig, Launch launch, float[] before, int keptFloats, MemorySegment out, int width) {
    var plain = rig.floats(before);
    var states = new float[ROWS + 1][];
    states[0] = before;
    for (int row = 0; row < ROWS; row++) {
      launch.run(plain, MemorySegment.NULL, 0, row, 1, 0);
      states[row + 1] = plain.toArray(ValueLayout.JAVA_FLOAT);
    }
    var expected = out.toArray(ValueLayout.JAVA_FLOAT);
    for (int firm = 0; firm <= 2; firm++) {
      int draft = ROWS - firm;
      for (int held = 0; held < draft; held++) {
        var state = rig.floats(before);
        var kept = rig.allocate(4L * draft * keptFloats);
        out.fill((byte) 0);
        launch.run(state, kept, 0, 0, ROWS, draft);
        assertThat(out.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(expected);
        assertThat(state.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(states[firm]);
        // The rest of the rows is another draft but for its first, then all of it is made up for.
        int next = firm + held;
        out.fill((byte) 0);
        launch.run(state, kept, held, next, ROWS - next, ROWS - next - 1);
        assertThat(state.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(states[next + 1]);
        assertThat(out.asSlice(4L * next * width).toArray(ValueLayout.JAVA_FLOAT))
            .containsExactly(Arrays.copyOfRange(expected, next * width, ROWS * width));
        launch.run(state, kept, ROWS - next - 1, 0, 0, 0);
        assertThat(state.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(states[ROWS]);
      }
    }
  }
}
