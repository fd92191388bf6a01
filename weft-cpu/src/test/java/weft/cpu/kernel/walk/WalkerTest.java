package weft.cpu.kernel.walk;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.FinishArguments;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WalkerTest {
  private static final int COLUMNS = 256;
  private static final int LAUNCHES = 40;

  /**
   * Each launch adds the columns as the other workers left them, so a worker that runs ahead of a
   * meeting reads numbers that are not there yet.
   */
  @ParameterizedTest
  @CsvSource({"1,100", "2,100", "3,100", "8,100", "2,0", "8,0"})
  void aLaunchSeesWhatAllWorkersDidInTheOneBefore(int workers, int yields)
      throws InterruptedException {
    Hosts.assumeEmits();
    try (var rig = new Rig(Isa.AVX2);
        var meeting = rig.library.meeting(workers, new Meeting.Patience(100, yields));
        var plan = rig.library.plan(LAUNCHES, workers)) {
      plan.gather(meeting, workers);
      var buffers = new MemorySegment[LAUNCHES + 1];
      for (int i = 0; i <= LAUNCHES; i++) buffers[i] = rig.floats(new float[2 * COLUMNS]);
      var ones = new float[2 * COLUMNS];
      Arrays.fill(ones, 1);
      MemorySegment.copy(ones, 0, buffers[0], JAVA_FLOAT, 0, ones.length);
      for (int i = 0; i < LAUNCHES; i++) record(rig, plan, i, buffers[i], buffers[i + 1]);

      for (int walk = 0; walk < 50; walk++) {
        run(plan, workers);
        for (int c = 0; c < COLUMNS; c++) {
          assertThat(buffers[LAUNCHES].getAtIndex(JAVA_FLOAT, c)).isEqualTo(1 + LAUNCHES);
        }
        for (int i = 1; i <= LAUNCHES; i++) buffers[i].fill((byte) 0);
      }
      double shares = 0;
      for (int i = 0; i < LAUNCHES; i++) shares += plan.share(i);
      assertThat(shares).isBetween(0.999, 1.001);
    }
  }

  /** {@code to = reversed halves of from + 1}: what a worker writes another reads. */
  private static void record(
      Rig rig, WalkPlan plan, int launch, MemorySegment from, MemorySegment to) {
    var bias = new float[COLUMNS];
    Arrays.fill(bias, 1);
    var calls = plan.calls(launch);
    calls.clear();
    int half = COLUMNS / 2;
    for (int side = 0; side < 2; side++) {
      var block = calls.arguments(FinishArguments.BYTES);
      new FinishArguments(
              PlainRows.one(from.asSlice((1L - side) * half * 4)),
              rig.floats(bias),
              PlainRows.one(rig.floats(new float[COLUMNS])),
              MemorySegment.NULL,
              PlainRows.one(to.asSlice((long) side * half * 4)),
              1)
          .write(block);
      calls.call(rig.library.finishAdd(), block, half, FinishArguments.MULTIPLE);
    }
    if (launch % 3 == 0) calls.meet();
    plan.place(launch);
  }

  private static void run(WalkPlan plan, int workers) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (int w = 0; w < workers; w++) {
      int index = w;
      threads.add(Thread.ofPlatform().start(() -> plan.walk(index, MemorySegment.NULL)));
    }
    for (var thread : threads) thread.join();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void aListGrowsByMeetingsToo(int workers) {
    try (var arena = Arena.ofConfined()) {
      var calls = new CallList(arena, workers);
      for (int i = 0; i < 100; i++) calls.meet();
      for (int i = 0; i < 100; i++) {
        assertThat(calls.entries().get(JAVA_LONG, i * CallList.stride(workers)))
            .isEqualTo(CallList.MEET);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void aListGrowsAndKeepsEveryShare(int workers) {
    try (var rig = new Rig(Isa.AVX2);
        var arena = Arena.ofConfined()) {
      var calls = new CallList(arena, workers);
      var kernel = rig.library.finishAdd();
      for (int i = 0; i < 100; i++) calls.call(kernel, calls.arguments(8), 100 + i, 16);
      long stride = CallList.stride(workers);
      for (int i = 0; i < 100; i++) {
        int next = 0;
        for (int w = 0; w < workers; w++) {
          long at = i * stride + CallList.SHARES + 8L * w;
          assertThat(calls.entries().get(JAVA_INT, at)).isEqualTo(next);
          next = calls.entries().get(JAVA_INT, at + 4);
        }
        assertThat(next).isEqualTo(100 + i);
      }
    }
  }
}
