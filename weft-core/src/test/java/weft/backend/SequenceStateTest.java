package weft.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.ir.Slot;

class SequenceStateTest {
  private static final int WINDOW = 8;
  private static final Slot.KeyValue WINDOWED = new Slot.KeyValue("kv", 2, 4, 4, WINDOW);
  private static final Slot.KeyValue UNBOUNDED = new Slot.KeyValue("kv", 2, 32, 32, Slot.UNBOUNDED);
  private static final Slot.Conv CONV = new Slot.Conv("conv", 3, 2);

  /** The bytes of a kept row. */
  private static final long ROW = 2 * Float.BYTES;

  private static SequenceState state(List<Slot> slots, KvType type) {
    return new HostStates(type, HostBlocks.ARENA, OptionalLong.empty()).open(slots);
  }

  private static void feed(SequenceState state, int rows, Slot... slots) {
    draft(state, rows, 0, slots);
  }

  /**
   * Writes each position's number as its key, and adds it up in the recurrent slot; of tentative
   * rows it is only kept.
   */
  private static void draft(SequenceState state, int rows, int tentative, Slot... slots) {
    try (var room = state.pool().claim("a test", state.needs(rows, tentative))) {
      state.reserve(rows, tentative, room);
    }
    int end = state.position() + rows;
    for (var slot : slots) {
      if (!(slot instanceof Slot.KeyValue)) sum(state).set(ValueLayout.JAVA_FLOAT, 0, total(state));
      for (int position = state.position(); position < end; position++) {
        int drafted = position - (end - tentative);
        switch (slot) {
          case Slot.KeyValue kv -> store(pages(state, kv), kv, position);
          default -> {
            if (drafted < 0) {
              float before = sum(state).get(ValueLayout.JAVA_FLOAT, 0);
              sum(state).set(ValueLayout.JAVA_FLOAT, 0, before + position);
            } else {
              HostState.of(state).kept(CONV).set(ValueLayout.JAVA_FLOAT, drafted * ROW, position);
            }
          }
        }
      }
    }
    state.advance(rows, tentative);
  }

  private static HostPages pages(SequenceState state, Slot.KeyValue slot) {
    return HostState.of(state).keyValues(slot);
  }

  private static void store(HostPages memory, Slot.KeyValue slot, int position) {
    var key = new float[slot.keyDim()];
    Arrays.fill(key, position);
    for (int head = 0; head < slot.heads(); head++) {
      long at = memory.layout().keyAt(head, position);
      memory.layout().encoding().encode(key, 0, key.length, memory.page(position), at);
    }
  }

  private static float[] key(HostPages memory, int head, int position) {
    var key = new float[memory.layout().slot().keyDim()];
    long at = memory.layout().keyAt(head, position);
    memory.layout().encoding().decode(memory.page(position), at, key, 0, key.length);
    return key;
  }

  private static MemorySegment sum(SequenceState state) {
    return HostState.of(state).recurrent(CONV);
  }

  /** What the slot holds, and the rows that are kept behind it. */
  private static float total(SequenceState state) {
    float total = sum(state).get(ValueLayout.JAVA_FLOAT, 0);
    for (int i = 0; i < state.pending(); i++) {
      total += HostState.of(state).kept(CONV).get(ValueLayout.JAVA_FLOAT, i * ROW);
    }
    return total;
  }

  /** The positions that attention at the next position would look at, as the memory has them. */
  private static List<Integer> window(SequenceState state) {
    var memory = pages(state, WINDOWED);
    var seen = new ArrayList<Integer>();
    for (int p = Math.max(0, state.position() - WINDOW + 1); p < state.position(); p++) {
      seen.add((int) key(memory, 1, p)[3]);
    }
    return seen;
  }

  private static List<Integer> expectedWindow(int position) {
    var expected = new ArrayList<Integer>();
    for (int p = Math.max(0, position - WINDOW + 1); p < position; p++) expected.add(p);
    return expected;
  }

  @Test
  void pagesThatLeftTheWindowAreGivenBack() {
    try (var state = state(List.of(WINDOWED), KvType.F32)) {
      for (int i = 0; i < 50; i++) feed(state, 7, WINDOWED);
      assertThat(state.position()).isEqualTo(350);
      assertThat(window(state)).isEqualTo(expectedWindow(350));
      long page = pages(state, WINDOWED).layout().pageBytes();
      assertThat(state.bytes()).isLessThanOrEqualTo(3 * page);
      assertThat(state.pool().bytes()).isEqualTo(state.bytes());
    }
  }

  @Test
  void aRewindStopsWhereTheWindowIsStillThereOrAtTheBeginning() {
    try (var state = state(List.of(WINDOWED), KvType.F32)) {
      feed(state, 60, WINDOWED);
      for (int i = 0; i < 140; i++) feed(state, 1, WINDOWED);
      int least = 200 - KvPages.SLACK;
      assertThat(state.rewind(least)).isEqualTo(least);
      assertThat(window(state)).isEqualTo(expectedWindow(least));
      assertThat(state.rewind(KvLayout.POSITIONS)).isZero();
      assertThat(state.pool().bytes()).isZero();
    }
  }

  @Test
  void rewindingTwiceDoesNotTrustWhatHasLeftTheWindow() {
    var random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      try (var state = state(List.of(WINDOWED), KvType.F32)) {
        for (int i = 0; i < 30; i++) {
          if (random.nextInt(3) > 0) feed(state, 1 + random.nextInt(40), WINDOWED);
          else state.rewind(random.nextInt(state.position() + 1));
          assertThat(window(state))
              .as("round %d", round)
              .isEqualTo(expectedWindow(state.position()));
        }
      }
    }
  }

  @Test
  void aRecurrentSlotRewindsWithinADraftOrToASnapshot() {
    try (var state = state(List.of(UNBOUNDED, CONV), KvType.F32)) {
      feed(state, 5, UNBOUNDED, CONV);
      draft(state, 6, 5, UNBOUNDED, CONV);
      for (int to = 11; to >= 6; to--) {
        assertThat(state.rewind(to)).isEqualTo(to);
        assertThat(total(state)).isEqualTo(to * (to - 1) / 2f);
      }
      assertThat(state.rewind(5)).isZero();
      assertThat(total(state)).isZero();
    }
  }

  @Test
  void aDraftThatIsFedOnIsFirm() {
    try (var state = state(List.of(CONV), KvType.F32)) {
      draft(state, 4, 3, CONV);
      assertThat(state.rewind(3)).isEqualTo(3);
      draft(state, 6, 5, CONV);
      assertThat(sum(state).get(ValueLayout.JAVA_FLOAT, 0)).as("of positions 0 to 3").isEqualTo(6);
      assertThat(state.rewind(3)).as("it can no longer stop within the first draft").isZero();
    }
  }

  @Test
  void aDraftTakesTheMemoryOfItsInputsAndTakesItOnce() {
    try (var state = state(List.of(CONV), KvType.F32)) {
      long before = state.bytes();
      assertThat(state.needs(3, 2)).isEqualTo(2 * ROW);
      for (int i = 0; i < 5; i++) draft(state, 3, 2, CONV);
      assertThat(state.bytes()).isEqualTo(before + 2 * ROW).isEqualTo(state.pool().bytes());
      assertThat(state.needs(3, 2)).isZero();
      assertThat(state.snapshots().count()).as("nothing is copied for a draft").isZero();
    }
  }

  @Test
  void aForkHasTheDraftThatItWasTakenIn() {
    try (var state = state(List.of(WINDOWED, CONV), KvType.F32)) {
      feed(state, 40, WINDOWED, CONV);
      draft(state, 5, 4, WINDOWED, CONV);
      for (int at = 41; at <= 45; at++) {
        try (var twin = state.fork(at)) {
          assertThat(twin.position()).isEqualTo(at);
          assertThat(total(twin)).isEqualTo(at * (at - 1) / 2f);
          draft(twin, 9, 8, WINDOWED, CONV);
          assertThat(total(twin)).isEqualTo((at + 9) * (at + 8) / 2f);
          assertThat(twin.rewind(at + 1)).isEqualTo(at + 1);
          assertThat(window(twin)).isEqualTo(expectedWindow(at + 1));
        }
        assertThat(total(state)).isEqualTo(45 * 44 / 2f);
      }
      try (var earlier = state.fork(40)) {
        assertThat(earlier.position()).isEqualTo(40);
        assertThat(total(earlier)).isEqualTo(40 * 39 / 2f);
      }
    }
  }

  @Test
  void aLongTextIsMarkedNowAndThen() {
    try (var state = state(List.of(CONV), KvType.F32)) {
      for (int i = 0; i < 70; i++) feed(state, 10, CONV);
      int reached = state.rewind(690);
      assertThat(reached).isBetween(690 - RecurrentHistory.INTERVAL, 690);
      assertThat(total(state)).isEqualTo(reached * (reached - 1) / 2f);
    }
  }

  @Test
  void snapshotsGetSparserTheFartherBackTheyAre() {
    int length = 4096;
    try (var state = state(List.of(CONV), KvType.F32)) {
      for (int i = 0; i < length; i++) feed(state, 1, CONV);
      long slot = 3 * 2 * Float.BYTES;
      assertThat(state.bytes()).isLessThanOrEqualTo(slot + 7 * slot);
      for (int back = 1; back < length; back *= 2) {
        try (var twin = state.fork(state.position())) {
          int reached = twin.rewind(length - back);
          assertThat(length - reached)
              .as("rewound by %d", back)
              .isLessThanOrEqualTo(Math.max(2 * RecurrentHistory.INTERVAL, 5 * back));
          assertThat(total(twin)).isEqualTo(reached * (reached - 1) / 2f);
        }
      }
    }
  }

  @Test
  void draftsDoNotPushOutSnapshots() {
    try (var state = state(List.of(CONV), KvType.F32)) {
      for (int i = 0; i < 70; i++) feed(state, 1, CONV);
      for (int i = 0; i < 40; i++) {
        draft(state, 4, 3, CONV);
        assertThat(state.rewind(state.position() - 3)).isEqualTo(71 + i);
      }
      assertThat(state.rewind(66)).isEqualTo(2 * RecurrentHistory.INTERVAL);
    }
  }

  @Test
  void windowsAndSnapshotsGoBackTogether() {
    var random = new SplittableRandom(5);
    for (int round = 0; round < 100; round++) {
      try (var state = state(List.of(WINDOWED, CONV), KvType.F32)) {
        for (int i = 0; i < 40; i++) {
          switch (random.nextInt(4)) {
            case 0 -> {
              int rows = 1 + random.nextInt(9);
              draft(state, rows, random.nextInt(rows + 1), WINDOWED, CONV);
            }
            case 1 -> state.rewind(random.nextInt(state.position() + 1));
            default -> feed(state, 1 + random.nextInt(50), WINDOWED, CONV);
          }
          int n = state.position();
          assertThat(window(state)).as("round %d", round).isEqualTo(expectedWindow(n));
          assertThat(total(state)).as("round %d", round).isEqualTo(n * (n - 1) / 2f);
        }
      }
    }
  }

  @Test
  void aSnapshotLivesAsLongAsAnyoneKnowsIt() {
    var state = state(List.of(CONV), KvType.F32);
    var pool = state.pool();
    for (int i = 0; i < 70; i++) feed(state, 1, CONV);
    var twin = state.fork(70);
    feed(twin, 3, CONV);
    state.close();
    assertThat(pool.bytes()).isEqualTo(twin.bytes());
    assertThat(twin.rewind(72)).isEqualTo(64);
    assertThat(total(twin)).isEqualTo(64 * 63 / 2f);
    twin.close();
    assertThat(pool.bytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 100})
  void aForkGoesItsOwnWay(int rows) {
    try (var state = state(List.of(WINDOWED, CONV), KvType.F32)) {
      if (rows > 0) feed(state, rows, WINDOWED, CONV);
      try (var twin = state.fork(state.position())) {
        feed(state, 90, WINDOWED, CONV);
        assertThat(twin.position()).isEqualTo(rows);
        assertThat(window(twin)).isEqualTo(expectedWindow(rows));
        feed(twin, 2, WINDOWED, CONV);
        assertThat(window(twin)).isEqualTo(expectedWindow(rows + 2));
      }
      assertThat(window(state)).isEqualTo(expectedWindow(rows + 90));
    }
  }

  @ParameterizedTest
  @EnumSource(KvType.class)
  void keysAndValuesTakeTheBytesOfTheirType(KvType type) {
    try (var state = state(List.of(UNBOUNDED), type)) {
      feed(state, 100, UNBOUNDED);
      var memory = pages(state, UNBOUNDED);
      assertThat(memory.layout().encoding()).isEqualTo(type.encoding());
      long positions = 2 * 2L * 2 * KvLayout.POSITIONS;
      assertThat(state.bytes()).isEqualTo(positions * type.encoding().bytes(32));
      assertThat(state.rewind(50)).isEqualTo(50);
      feed(state, 400, UNBOUNDED);
      for (float k : key(memory, 1, 20)) assertThat(k).isCloseTo(20, Offset.offset(0.1f));
    }
  }

  @Test
  void headsThatAreNoWholeBlocksStayFloats() {
    try (var state = state(List.of(WINDOWED), KvType.Q8_0)) {
      assertThat(pages(state, WINDOWED).layout().encoding()).isEqualTo(KvType.F32.encoding());
    }
  }

  @Test
  void aNegativePositionIsRefused() {
    try (var state = state(List.of(), KvType.F32)) {
      assertThatThrownBy(() -> state.rewind(-1))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("position -1");
    }
  }

  @Test
  void whatASequenceMustHoldIsKnownBeforeItIsFed() {
    var random = new SplittableRandom(4);
    var second = new Slot.KeyValue("all", 2, 32, 32, Slot.UNBOUNDED);
    List<Slot> slots = List.of(WINDOWED, second, CONV);
    int rows = 100;
    for (int trial = 0; trial < 20; trial++) {
      var state = state(slots, KvType.F16);
      while (state.position() < 1500) {
        int more = 1 + random.nextInt(rows);
        int drafted = random.nextInt(Math.min(more, 16) + 1);
        long before = state.bytes();
        long needed = state.needs(more, drafted);
        int after = state.position() + more;
        assertThat(before + needed)
            .isLessThanOrEqualTo(SequenceState.bytesFor(slots, KvType.F16, after, rows, 16));
        draft(state, more, drafted, WINDOWED, CONV);
        state.slim();
      }
      state.close();
    }
  }

  @Test
  void aSlimSequenceGoesOnAndGoesBackWithinItsDraftOrToTheBeginning() {
    var state = state(List.of(CONV), KvType.F32);
    for (int i = 0; i < 100; i++) feed(state, 1, CONV);
    draft(state, 4, 3, CONV);
    assertThat(state.nearest(70)).isPositive();
    long before = state.pool().bytes();
    float sum = total(state);
    state.slim();
    assertThat(state.pool().bytes()).isLessThan(before);
    assertThat(total(state)).isEqualTo(sum);
    assertThat(state.nearest(102)).isEqualTo(102);
    assertThat(state.nearest(70)).isZero();
    assertThat(state.rewind(102)).isEqualTo(102);
  }
}
