package weft.cpu.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weft.backend.MemorySource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkersTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void everyWorkerRunsTheTaskOnceAndTheCallerWaitsForAll(int count) {
    try (var workers = new Workers(count, MemorySource.ARENA, Optional.empty())) {
      var runs = new AtomicIntegerArray(count);
      for (int i = 1; i <= 50; i++) {
        workers.run(worker -> runs.incrementAndGet(worker.index()));
        for (int w = 0; w < count; w++) assertThat(runs.get(w)).isEqualTo(i);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void nobodyPassesAMeetingBeforeAllHaveCome(int count) {
    try (var workers = new Workers(count, MemorySource.ARENA, Optional.empty())) {
      var arrived = new AtomicInteger();
      workers.run(
          worker -> {
            for (int meeting = 1; meeting <= 100; meeting++) {
              arrived.incrementAndGet();
              workers.meet();
              assertThat(arrived.get()).isGreaterThanOrEqualTo(count * meeting);
              workers.meet();
            }
          });
    }
  }

  @Test
  void sharesCoverEveryUnitOnce() {
    for (int count : new int[] {1, 2, 3, 8}) {
      for (int units : new int[] {0, 1, 2, 7, 8, 1000}) {
        int next = 0;
        for (int i = 0; i < count; i++) {
          var worker = new Worker(i, count, MemorySource.ARENA);
          assertThat(worker.from(units)).isEqualTo(next);
          next = worker.to(units);
          worker.close();
        }
        assertThat(next).isEqualTo(units);
      }
    }
  }

  /** Many times over: what a failed run leaves behind must not reach the next one. */
  @Test
  void aFailureReachesTheCallerAndTheNextRunIsSound() {
    try (var workers = new Workers(3, MemorySource.ARENA, Optional.empty())) {
      for (int i = 0; i < 500; i++) {
        int unlucky = i % 3;
        assertThatThrownBy(
                () ->
                    workers.run(
                        worker -> {
                          workers.meet();
                          if (worker.index() == unlucky)
                            throw new IllegalStateException("bad luck");
                          workers.meet();
                        }))
            .hasMessage("bad luck");
        var done = new AtomicInteger();
        workers.run(
            worker -> {
              workers.meet();
              workers.meet();
              done.incrementAndGet();
            });
        assertThat(done).hasValue(3);
      }
    }
  }
}
