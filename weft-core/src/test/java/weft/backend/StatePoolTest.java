package weft.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import weft.ir.Slot;

/** What states take of a device's memory, counted where it is allocated. */
class StatePoolTest {
  private static final Slot.KeyValue ALL = new Slot.KeyValue("all", 1, 4, 4, Slot.UNBOUNDED);
  private static final Slot.KeyValue LAST = new Slot.KeyValue("last", 1, 4, 4, 20);
  private static final Slot.Conv CONV = new Slot.Conv("conv", 1, 2);
  private static final long PAGE = KvLayout.of(ALL, KvType.F32).pageBytes();

  /** The bytes of blocks that are there, tables aside, and the most there were at a time. */
  private static final class Counted implements HostBlocks {
    private long live;
    private long peak;

    @Override
    public HostBlock allocate(long bytes) {
      var block = HostBlocks.ARENA.allocate(bytes);
      // A table is as large as no page and no matrix of these tests.
      long counted = bytes == 4096 ? 0 : bytes;
      live += counted;
      peak = Math.max(peak, live);
      return new HostBlock(
          block.memory(),
          () -> {
            live -= counted;
            block.free();
          });
    }
  }

  private final Counted counted = new Counted();

  private HostStates states(long budget) {
    return new HostStates(KvType.F32, counted, OptionalLong.of(budget));
  }

  private static SequenceState feed(SequenceState state, int rows) {
    try (var room = state.pool().claim("a test", state.needs(rows, 0))) {
      state.reserve(rows, 0, room);
    }
    state.advance(rows, 0);
    return state;
  }

  @Test
  void pagesAreThereBeforeTextsNeedThem() {
    try (var states = states(8 * PAGE);
        var first = feed(states.open(List.of(ALL)), 64);
        var second = feed(states.open(List.of(ALL)), 64)) {
      states.pool().lookAhead();
      assertThat(counted.live).as("as many as were missed").isEqualTo(4 * PAGE);
      assertThat(states.pool().bytes()).as("they are nobody's").isEqualTo(2 * PAGE);
      feed(first, 1);
      feed(second, 1);
      assertThat(counted.live).isEqualTo(4 * PAGE);
      feed(first, 4 * 64 - 1);
      states.pool().lookAhead();
      assertThat(counted.live).as("within the budget").isEqualTo(8 * PAGE);
      states.pool().lookAhead();
      assertThat(counted.live).isEqualTo(8 * PAGE);
    }
    assertThat(counted.live).isZero();
  }

  @Test
  void aStepAloneMayHaveMoreThanTextsLeave() throws InterruptedException {
    try (var states = states(2 * PAGE);
        var text = feed(states.open(List.of(ALL)), 128)) {
      stretched(states, text);
      assertThat(states.pool().bytes()).isEqualTo(2 * PAGE);
    }
  }

  private static void stretched(HostStates states, SequenceState text) throws InterruptedException {
    try (var step = states.open(List.of(ALL))) {
      assertThatThrownBy(() -> feed(step, 64)).isInstanceOf(NoRoomException.class);
      try (var _ = states.pool().stretch(step.needs(64, 0))) {
        assertThatThrownBy(() -> states.pool().stretch(1)).isInstanceOf(BackendException.class);
        var refused = new ArrayList<Throwable>();
        var other =
            Thread.ofPlatform()
                .uncaughtExceptionHandler((_, e) -> refused.add(e))
                .start(() -> feed(text, 1));
        other.join();
        assertThat(refused).singleElement().isInstanceOf(NoRoomException.class);
        feed(step, 64);
      }
      assertThat(states.pool().free()).isZero();
    }
  }

  @Test
  void aForkSharesPagesAndCopiesTheOneItWritesTo() {
    try (var states = states(100 * PAGE);
        var state = feed(states.open(List.of(ALL)), 150)) {
      assertThat(states.pool().bytes()).isEqualTo(3 * PAGE);
      try (var fork = state.fork(150);
          var below = state.fork(128)) {
        assertThat(states.pool().bytes()).as("nothing is copied").isEqualTo(3 * PAGE);
        assertThat(fork.bytes()).isEqualTo(3 * PAGE);
        feed(below, 1);
        assertThat(states.pool().bytes()).as("whole pages are shared").isEqualTo(4 * PAGE);
        feed(fork, 1);
        assertThat(states.pool().bytes()).as("the last is copied").isEqualTo(5 * PAGE);
        feed(state, 1);
        assertThat(states.pool().bytes()).as("and is the original's alone").isEqualTo(5 * PAGE);
      }
      assertThat(states.pool().bytes()).isEqualTo(3 * PAGE);
    }
    assertThat(counted.live).as("an idle pool that is closed has nothing").isZero();
  }

  @Test
  void aRewindGivesPagesBackAndTheNextTakesThem() {
    try (var states = states(10 * PAGE);
        var state = feed(states.open(List.of(ALL)), 500)) {
      assertThat(states.pool().free()).isEqualTo(2 * PAGE);
      state.rewind(65);
      assertThat(states.pool().bytes()).isEqualTo(2 * PAGE);
      try (var _ = feed(states.open(List.of(ALL)), 500)) {
        assertThat(states.pool().free()).isZero();
      }
      assertThat(counted.peak).as("the same blocks").isEqualTo(10 * PAGE);
    }
  }

  @Test
  void growthNeverHoldsOldAndNew() {
    try (var states = states(64 * PAGE);
        var state = states.open(List.of(ALL))) {
      for (int i = 0; i < 64; i++) {
        feed(state, 64);
        assertThat(counted.peak).isEqualTo((i + 1) * PAGE);
      }
    }
  }

  @Test
  void whatDoesNotFitIsRefusedAndChangesNothing() {
    try (var states = states(3 * PAGE);
        var state = feed(states.open(List.of(ALL)), 100)) {
      assertThatThrownBy(() -> feed(state, 200))
          .isInstanceOfSatisfying(
              NoRoomException.class,
              e -> {
                assertThat(e.needed()).isEqualTo(3 * PAGE);
                assertThat(e.free()).isEqualTo(PAGE);
              })
          .hasMessageContaining("--memory");
      assertThat(states.pool().bytes()).isEqualTo(2 * PAGE);
      assertThat(feed(state, 92).position()).isEqualTo(192);
    }
  }

  @Test
  void idleBlocksMakeWayForOthers() {
    try (var states = states(4 * PAGE)) {
      feed(states.open(List.of(ALL)), 256).close();
      var wide = new Slot.KeyValue("wide", 2, 4, 4, Slot.UNBOUNDED);
      try (var other = feed(states.open(List.of(wide)), 128)) {
        assertThat(other.bytes()).isEqualTo(4 * PAGE);
      }
      assertThat(counted.peak).isEqualTo(4 * PAGE);
    }
  }

  /** A state, and the tokens that it must still know. */
  private record Text(SequenceState state, List<Integer> tokens) {}

  @Test
  void randomTextsKnowWhatTheySawAndNeverTakeMoreThanTheBudget() {
    for (int round = 0; round < 60; round++) {
      var random = new SplittableRandom(round);
      long budget = (4 + random.nextInt(30)) * PAGE;
      var texts = new ArrayList<Text>();
      try (var states = states(budget)) {
        for (int i = 0; i < 120; i++) {
          act(states, texts, random);
          assertThat(states.pool().bytes()).isLessThanOrEqualTo(budget);
          assertThat(counted.live).isLessThanOrEqualTo(budget);
          for (var text : texts) requireKnown(text);
        }
        texts.forEach(text -> text.state.close());
        assertThat(states.pool().bytes()).isZero();
      }
      assertThat(counted.live).isZero();
    }
  }

  private static void act(HostStates states, List<Text> texts, SplittableRandom random) {
    try {
      if (texts.isEmpty() || random.nextInt(10) == 0) {
        texts.add(new Text(states.open(List.of(ALL, LAST, CONV)), new ArrayList<>()));
        return;
      }
      var text = texts.get(random.nextInt(texts.size()));
      int to = random.nextInt(text.tokens.size() + 1);
      switch (random.nextInt(7)) {
        case 0 -> {
          var fork = text.state.fork(to);
          texts.add(new Text(fork, new ArrayList<>(text.tokens.subList(0, fork.position()))));
        }
        case 1 -> {
          int reached = text.state.rewind(to);
          text.tokens.subList(reached, text.tokens.size()).clear();
        }
        case 2 -> {
          text.state.close();
          texts.remove(text);
        }
        default -> write(text, 1 + random.nextInt(90), random);
      }
    } catch (NoRoomException e) {
      assertThat(e.needed()).isGreaterThan(e.free());
    }
  }

  private static void write(Text text, int rows, SplittableRandom random) {
    var state = text.state;
    try (var room = state.pool().claim("a test", state.needs(rows, 0))) {
      state.reserve(rows, 0, room);
    }
    var sum = HostState.of(state).recurrent(CONV);
    for (int i = 0; i < rows; i++) {
      int token = random.nextInt(1000);
      int position = text.tokens.size();
      for (var slot : List.of(ALL, LAST)) {
        var pages = HostState.of(state).keyValues(slot);
        pages
            .page(position)
            .set(ValueLayout.JAVA_FLOAT, pages.layout().valueAt(0, position), token);
      }
      float before = sum.get(ValueLayout.JAVA_FLOAT, 0);
      sum.set(ValueLayout.JAVA_FLOAT, 0, (before * 31 + token) % 100_003);
      text.tokens.add(token);
    }
    state.advance(rows, 0);
  }

  private static void requireKnown(Text text) {
    int length = text.tokens.size();
    assertThat(text.state.position()).isEqualTo(length);
    float sum = 0;
    for (int token : text.tokens) sum = (sum * 31 + token) % 100_003;
    assertThat(HostState.of(text.state).recurrent(CONV).get(ValueLayout.JAVA_FLOAT, 0))
        .isEqualTo(sum);
    for (var slot : List.of(ALL, LAST)) {
      var pages = HostState.of(text.state).keyValues(slot);
      for (int p = Math.max(0, length - slot.window() + 1); p < length; p++) {
        float value = pages.page(p).get(ValueLayout.JAVA_FLOAT, pages.layout().valueAt(0, p));
        if (value != text.tokens.get(p)) {
          assertThat(value)
              .as("position %d of %d in %s", p, length, slot)
              .isEqualTo(text.tokens.get(p));
        }
      }
    }
  }
}
