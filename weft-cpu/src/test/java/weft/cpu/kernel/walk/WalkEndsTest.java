package weft.cpu.kernel.walk;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weft.cpu.asm.Fault;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.product.FinishArguments;

/** Walks that end before their time: faults in kernels, workers that never come. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WalkEndsTest {
  private static final int COLUMNS = 4096;
  private static final int LAUNCHES = 5;

  @TempDir Path folder;

  private Rig rig;

  @BeforeEach
  void open() {
    Hosts.assumeEmits();
    rig = new Rig(Isa.AVX2);
  }

  @AfterEach
  void close() {
    if (rig != null) rig.close();
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "2,1", "8,3", "8,7"})
  void aFaultEndsTheWalkOfAllAndTheNextIsSound(int workers, int unlucky) throws Exception {
    var good = rig.floats(new float[COLUMNS]);
    int share = COLUMNS / workers;
    // Guarded memory that ends in the middle of the unlucky worker's share.
    var bad = rig.floats(new float[unlucky * share + share / 2]);
    try (var team = new Walkers(workers)) {
      for (int i = 0; i < 20; i++) {
        team.plan(bad);
        var faults = team.walk(workers);
        assertThat(faults.get(unlucky).map(Fault::kind)).contains(Fault.Kind.STRANGE);
        assertThat(faults.get(unlucky).orElseThrow().address())
            .isEqualTo(bad.address() + bad.byteSize());
        assertThat(team.meeting.isCalledOff()).isTrue();
        team.meeting.beginAnew();

        team.plan(good);
        assertThat(team.walk(workers)).allMatch(Optional::isEmpty);
        assertThat(team.meeting.isCalledOff()).isFalse();
      }
    }
  }

  @Test
  void aFileThatIsCutShortEndsTheWalk() throws Exception {
    var file = folder.resolve("weights");
    Files.write(file, new byte[COLUMNS * Float.BYTES]);
    try (var arena = Arena.ofShared();
        var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        var team = new Walkers(2)) {
      var mapped =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, COLUMNS * (long) Float.BYTES, arena);
      team.plan(mapped);
      assertThat(team.walk(2)).allMatch(Optional::isEmpty);
      channel.truncate(COLUMNS * Float.BYTES / 2);
      var faults = team.walk(2);
      assertThat(faults.get(0)).isEmpty();
      assertThat(faults.get(1).map(Fault::kind)).contains(Fault.Kind.GONE);
    }
  }

  /** Seven of eight come and sleep; nobody must wait for the one who never does. */
  @ParameterizedTest
  @CsvSource({"0,0", "0,50", "1000,1000"})
  void aMeetingThatIsCalledOffLetsEveryoneGo(int spins, int yields) throws Exception {
    try (var team = new Walkers(8, new Meeting.Patience(spins, yields))) {
      team.plan(rig.floats(new float[COLUMNS]));
      var threads = team.start(7);
      // Long enough for some to have gone to sleep, at every patience; right at any moment.
      Thread.sleep(20);
      assertThat(threads).allMatch(Thread::isAlive);
      team.meeting.callOff();
      team.meeting.callOff();
      for (var thread : threads) thread.join();
      assertThat(team.meeting.isCalledOff()).isTrue();
      team.meeting.beginAnew();
      assertThat(team.walk(8)).allMatch(Optional::isEmpty);
    }
  }

  /** The JVM uses the same signals for its own ends, which must reach it. */
  @Test
  void faultsOfTheJvmAreStillItsOwn() throws IOException {
    try (var team = new Walkers(1)) {
      var file = folder.resolve("read");
      Files.write(file, new byte[8192]);
      try (var arena = Arena.ofConfined();
          var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        var mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 8192, arena);
        channel.truncate(0);
        assertThatThrownBy(() -> mapped.get(JAVA_BYTE, 4096)).isInstanceOf(InternalError.class);
      }
      int nulls = 0;
      Object[] things = new Object[2];
      for (int i = 0; i < 100_000; i++) {
        try {
          nulls += things[i & 1].hashCode();
        } catch (NullPointerException e) {
          nulls++;
        }
      }
      assertThat(nulls).isEqualTo(100_000);
      assertThat(team.meeting.isCalledOff()).isFalse();
    }
  }

  /** Threads that walk a plan of launches which read one buffer. */
  private final class Walkers implements AutoCloseable {
    final Meeting meeting;
    private final WalkPlan plan;
    private final int workers;

    Walkers(int workers) {
      this(workers, new Meeting.Patience(100, 10));
    }

    Walkers(int workers, Meeting.Patience patience) {
      this.workers = workers;
      this.meeting = rig.library.meeting(workers, patience);
      this.plan = rig.library.plan(LAUNCHES, workers);
      plan.gather(meeting, workers);
    }

    void plan(MemorySegment from) {
      var zeros = rig.floats(new float[COLUMNS]);
      var to = rig.floats(new float[COLUMNS]);
      for (int launch = 0; launch < LAUNCHES; launch++) {
        var calls = plan.calls(launch);
        calls.clear();
        var block = calls.arguments(FinishArguments.BYTES);
        new FinishArguments(
                PlainRows.one(from),
                zeros,
                PlainRows.one(zeros),
                MemorySegment.NULL,
                PlainRows.one(to),
                1)
            .write(block);
        calls.call(rig.library.finishAdd(), block, COLUMNS, FinishArguments.MULTIPLE);
        plan.place(launch);
      }
    }

    List<Thread> start(int count) {
      var threads = new ArrayList<Thread>();
      for (int worker = 0; worker < count; worker++) {
        int index = worker;
        threads.add(Thread.ofPlatform().start(() -> plan.walk(index, MemorySegment.NULL)));
      }
      return threads;
    }

    List<Optional<Fault>> walk(int count) throws InterruptedException {
      for (var thread : start(count)) thread.join();
      return IntStream.range(0, workers).mapToObj(meeting::fault).toList();
    }

    @Override
    public void close() {
      plan.close();
      meeting.close();
    }
  }
}
