package weft.cpu.residency;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import weft.backend.BackendException;
import weft.backend.MemorySource;
import weft.backend.TensorReader;
import weft.experts.ExpertBudget;
import weft.experts.ExpertMemory;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExpertCacheTest {
  private static final int EXPERTS = 4;
  private static final int PARTS = 3;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment file = arena.allocate(2 * EXPERTS * PARTS);
  private final Disk disk = new Disk();

  /** Copies, and does as the test says. */
  private final class Disk implements TensorReader {
    private final ConcurrentLinkedQueue<Long> reads = new ConcurrentLinkedQueue<>();
    private final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
    private volatile boolean isBroken;
    private volatile boolean isClosed;

    @Override
    public long alignment() {
      return 16;
    }

    @Override
    public MemorySegment read(MemorySegment mapped, MemorySegment to) {
      gate.acquireUninterruptibly();
      if (isBroken) throw new BackendException("the disk is gone");
      reads.add(mapped.address() - file.address());
      return to.asSlice(5, mapped.byteSize()).copyFrom(mapped);
    }

    /** The experts that were read, by their number over both layers. */
    List<Long> experts() {
      return reads.stream().map(at -> at / PARTS).distinct().sorted().toList();
    }

    /** Waits until what was begun is read. */
    void settle(ExpertCache cache) {
      long before;
      do {
        before = cache.traffic().bytes();
        Thread.yield();
      } while (cache.traffic().bytes() != before);
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private ExpertCache cache(int slots) {
    for (int i = 0; i < file.byteSize(); i++) file.set(JAVA_BYTE, i, (byte) i);
    var layers = new ArrayList<ExpertLayer>();
    for (int layer = 0; layer < 2; layer++) {
      int first = layer * EXPERTS;
      var weights = new ArrayList<List<MemorySegment>>();
      for (int part = 0; part < PARTS; part++) {
        int p = part;
        weights.add(
            IntStream.range(first, first + EXPERTS)
                .mapToObj(e -> file.asSlice((long) e * PARTS + p, 1))
                .toList());
      }
      layers.add(new ExpertLayer("layer" + layer, weights));
    }
    // Each part has room for two alignments.
    var budget = new ExpertBudget.Bytes(slots * PARTS * 32L);
    return ExpertCache.open(layers, disk, ExpertMemory.of(budget), MemorySource.ARENA);
  }

  @AfterEach
  void close() {
    arena.close();
  }

  /** Goes through a layer; gives the experts of each round, which must have their own bytes. */
  private List<List<Integer>> rounds(ExpertCache.Visit visit, int layer, int... rows) {
    var rounds = new ArrayList<List<Integer>>();
    visit.begin(rows);
    for (boolean isLast = false; !isLast; ) {
      isLast = visit.next();
      rounds.add(here(visit));
      for (int e : rounds.getLast()) {
        for (int part = 0; part < PARTS; part++) {
          assertThat(visit.weight(e, part).get(JAVA_BYTE, 0))
              .isEqualTo((byte) ((layer * EXPERTS + e) * PARTS + part));
        }
      }
    }
    visit.end();
    return rounds;
  }

  private static List<Integer> here(ExpertCache.Visit visit) {
    return IntStream.range(0, EXPERTS).filter(e -> visit.next(e) == e).boxed().toList();
  }

  @Test
  void oneSlotServesAnyNumberOfExpertsOneAfterTheOther() {
    try (var cache = cache(1)) {
      var visit = cache.visits("layer0").orElseThrow();
      assertThat(rounds(visit, 0, 1, 2, 0, 1)).hasSize(3).allSatisfy(r -> assertThat(r).hasSize(1));
      assertThat(cache.traffic().misses()).isEqualTo(3);
      assertThat(cache.traffic().bytes()).isEqualTo(9);
    }
    assertThat(disk.isClosed).isTrue();
  }

  @Test
  void whatIsThereIsReadOnceAndCountsAsAHit() {
    try (var cache = cache(8)) {
      var visit = cache.visits("layer0").orElseThrow();
      rounds(visit, 0, 1, 1, 0, 0);
      assertThat(rounds(visit, 0, 1, 1, 0, 0)).containsExactly(List.of(0, 1));
      assertThat(cache.traffic().hits()).isEqualTo(2);
      assertThat(cache.traffic().hitRate()).isEqualTo(.5);
      assertThat(disk.reads).hasSize(2 * PARTS);
      assertThat(cache.wantsGuesses()).isFalse();
    }
  }

  @Test
  void whatIsThereIsTheFirstRoundWhileTheRestIsRead() {
    try (var cache = cache(4)) {
      var visit = cache.visits("layer0").orElseThrow();
      rounds(visit, 0, 1, 0, 0, 0);
      disk.gate.drainPermits();
      visit.begin(new int[] {1, 1, 0, 0});
      assertThat(visit.next()).isFalse();
      assertThat(here(visit)).containsExactly(0);
      disk.gate.release(Integer.MAX_VALUE / 2);
      assertThat(visit.next()).isTrue();
      assertThat(here(visit)).containsExactly(1);
      visit.end();
    }
  }

  @Test
  void aGuessIsReadBeforeItsLayerWantsIt() throws Exception {
    try (var cache = cache(4)) {
      rounds(cache.visits("layer0").orElseThrow(), 0, 1, 0, 0, 0);
      cache.visits("layer0").orElseThrow().guess(new int[][] {{2}});
      while (disk.reads.size() < 2 * PARTS) Thread.sleep(1);
      while (cache.traffic().bytes() < 2 * PARTS) Thread.sleep(1);
      assertThat(rounds(cache.visits("layer1").orElseThrow(), 1, 0, 0, 1, 0)).hasSize(1);
      assertThat(cache.traffic().hits()).isEqualTo(1);
      assertThat(cache.traffic().guessed()).isEqualTo(1);
      assertThat(disk.experts()).containsExactly(0L, EXPERTS + 2L);
    }
  }

  @Test
  void guessesAreAsManyAsComeTrue() {
    try (var cache = cache(3)) {
      var first = cache.visits("layer0").orElseThrow();
      var second = cache.visits("layer1").orElseThrow();
      int[] all = new int[4];
      for (int i = 0; i < all.length; i++) {
        rounds(first, 0, 1, 0, 0, 0);
        long before = cache.traffic().guessed();
        first.guess(new int[][] {{1}, {2}, {3}});
        all[i] = (int) (cache.traffic().guessed() - before);
        rounds(second, 1, 1, i < 2 ? 1 : 0, i < 2 ? 1 : 0, 0);
        disk.settle(cache);
      }
      assertThat(all[0]).as("one, before anything is known").isEqualTo(1);
      assertThat(cache.traffic().guessed()).isLessThan(4 * 3);
    }
  }

  @Test
  void aReadThatFailsIsTheStepsFailureAndTheNextStepTriesAgain() {
    try (var cache = cache(2)) {
      var visit = cache.visits("layer0").orElseThrow();
      disk.isBroken = true;
      assertThatThrownBy(() -> rounds(visit, 0, 0, 0, 1, 0))
          .isInstanceOf(BackendException.class)
          .hasMessageContaining("expert 2 of layer0")
          .hasMessageContaining("the disk is gone");
      disk.isBroken = false;
      assertThat(rounds(visit, 0, 1, 1, 1, 1).stream().mapToInt(List::size).sum()).isEqualTo(4);
    }
  }

  @Test
  void aStepThatWasGivenUpHoldsNoSlot() {
    try (var cache = cache(1)) {
      var visit = cache.visits("layer0").orElseThrow();
      visit.begin(new int[] {1, 0, 0, 0});
      assertThat(visit.next()).isTrue();
      assertThat(rounds(visit, 0, 0, 1, 0, 0)).containsExactly(List.of(1));
    }
  }

  @Test
  void aLayerThatIsNotThereHasNoVisits() {
    try (var cache = cache(1)) {
      assertThat(cache.visits("layer7")).isEmpty();
    }
  }

  @Test
  void aBudgetBelowOneExpertIsRefused() {
    var layers = List.of(new ExpertLayer("only", List.of(List.of(file))));
    var memory = ExpertMemory.of(new ExpertBudget.Bytes(1));
    assertThatThrownBy(() -> ExpertCache.open(layers, disk, memory, MemorySource.ARENA))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("--expert-memory");
    assertThat(disk.isClosed).isTrue();
  }

  @Test
  void closingWaitsForAReadThatHasBegun() throws Exception {
    var cache = cache(4);
    cache.visits("layer0").orElseThrow().begin(new int[] {1, 0, 0, 0});
    disk.gate.drainPermits();
    cache.visits("layer0").orElseThrow().guess(new int[][] {{1}});
    while (!disk.gate.hasQueuedThreads()) Thread.sleep(1);
    var closed = new CountDownLatch(1);
    var closing =
        Thread.ofPlatform()
            .start(
                () -> {
                  cache.close();
                  closed.countDown();
                });
    assertThat(closed.await(20, TimeUnit.MILLISECONDS)).isFalse();
    disk.gate.release(Integer.MAX_VALUE / 2);
    closing.join();
  }
}
