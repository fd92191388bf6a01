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

  private static SequenceState state(List<Slot> slots, KvType type) {
    return new HostStates(type, HostBlocks.ARENA, OptionalLong.empty()).open(slots);
  }

  /** Writes each position's number as its key, and adds it up in the recurrent slot. */
  private static void feed(SequenceState state, int rows, Slot... slots) {
    try (var room = state.pool().claim("a test", state.needs(rows))) {
      state.reserve(rows, room);
    }
    for (int position = state.position(); position < state.position() + rows; position++) {
      for (var slot : slots) {
        switch (slot) {
          case Slot.KeyValue kv -> store(pages(state, kv), kv, position);
          default -> sum(state).set(ValueLayout.JAVA_FLOAT, 0, total(state) + position);
        }
      }
    }
    state.advance(rows);
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

  private static float total(SequenceState state) {
    return sum(state).get(ValueLayout.JAVA_FLOAT, 0);
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
  void aRecurrentSlotRewindsToASnapshot() {
    try (var state = state(List.of(UNBOUNDED, CONV), KvType.F32)) {
      feed(state, 5, UNBOUNDED, CONV);
      state.mark();
      feed(state, 6, UNBOUNDED, CONV);
      assertThat(state.rewind(8)).isEqualTo(5);
      assertThat(total(state)).isEqualTo(10);
      assertThat(state.rewind(4)).isZero();
      assertThat(total(state)).isZero();
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
  void marksOfDraftsDoNotPushOutOtherSnapshots() {
    try (var state = state(List.of(CONV), KvType.F32)) {
      for (int i = 0; i < 70; i++) feed(state, 1, CONV);
      for (int i = 0; i < 40; i++) {
        state.mark();
        feed(state, 4, CONV);
        assertThat(state.rewind(state.position() - 1)).isEqualTo(70 + i);
        feed(state, 1, CONV);
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
            case 0 -> state.mark();
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
    state.mark();
    var twin = state.fork(70);
    feed(twin, 3, CONV);
    twin.mark();
    assertThat(state.rewind(71)).as("the twin's mark is not the other's").isEqualTo(70);
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
}
