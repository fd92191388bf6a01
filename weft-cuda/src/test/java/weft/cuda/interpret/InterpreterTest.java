package weft.cuda.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Imm;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxModule;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Special;

/** That kernels of the writer give what they must, whatever way their lanes go. */
class InterpreterTest {
  private final InterpretedDriver driver = new InterpretedDriver();

  /** Runs a kernel whose parameters are memory of 256 words, from which it reads, and results. */
  private int[] run(PtxWriter w, Grid grid) {
    var input = new int[256];
    for (int i = 0; i < input.length; i++) input[i] = i;
    long x = driver.allocate(1024);
    long y = driver.allocate(1024);
    driver.upload(MemorySegment.ofArray(input), x);
    driver.clear(y, 1024);
    var function = w.function();
    driver.launch(
        driver.module(PtxModule.text(List.of(function))).function(function.name()), grid, x, y);
    var to = MemorySegment.ofArray(new int[256]);
    driver.download(y, to);
    return to.toArray(ValueLayout.JAVA_INT);
  }

  @Test
  void lanesPartAndMeetAgain() {
    var w = new PtxWriter("steps");
    w.address("x");
    var y = w.address("y");
    var lane = w.read(Special.TID_X);
    var steps = w.called("steps").mov(Imm.imm(0));
    var number = w.called("number").mov(lane);
    w.whileTrue(
        () -> w.isUnsigned(Compare.GT, number, Imm.imm(1)),
        () -> {
          var isOdd = w.is(Compare.EQ, w.and(number, Imm.imm(1)), Imm.imm(1));
          w.whenElse(
              isOdd,
              () -> w.into(number).mad(number, Imm.imm(3), Imm.imm(1)),
              () -> w.into(number).shr(number, Imm.imm(1)));
          w.into(steps).add(steps, Imm.imm(1));
        });
    var sum = w.called("sum").mov(steps);
    for (int bits = 16; bits > 0; bits /= 2) {
      w.into(sum).add(sum, w.shuffleXor(sum, bits));
    }
    w.store(Mem.global(w.madWide(lane, Imm.imm(4), y)), sum);
    int expected = 0;
    for (int i = 0; i < 32; i++) {
      for (int n = i; n > 1; n = n % 2 == 1 ? 3 * n + 1 : n / 2) expected++;
    }
    assertThat(run(w, Grid.of(1, 32))[7]).isEqualTo(expected);
  }

  @Test
  void aBulkCopyArrivesAtItsBarrier() {
    var w = new PtxWriter("stream");
    var x = w.address("x");
    var y = w.address("y");
    var full = w.shared("full", 8, 8);
    var stage = w.shared("stage", 256, 128);
    var t = w.read(Special.TID_X);
    w.when(
        w.is(Compare.EQ, t, Imm.imm(0)),
        () -> {
          w.barrierInit(Mem.shared(full), Imm.imm(1));
          w.barrierInitFence();
        });
    w.barrier();
    w.when(
        w.is(Compare.EQ, t, Imm.imm(0)),
        () -> {
          w.barrierExpect(Mem.shared(full), Imm.imm(256));
          w.bulkCopy(Mem.shared(stage), Mem.global(x).plus(256), Imm.imm(256), Mem.shared(full));
        });
    w.whileTrue(() -> w.not(w.barrierTry(Mem.shared(full), Imm.imm(0))), () -> {});
    var at = w.mad(t, Imm.imm(4), w.addressOf(stage));
    w.store(Mem.global(w.madWide(t, Imm.imm(4), y)), w.load(Mem.shared(at)));
    assertThat(run(w, Grid.of(1, 64))).startsWith(64, 65, 66).contains(127);
  }

  /** A core does some 90 million instructions of threads a second: whole small models. */
  @Test
  void whatThreadsDoIsCounted() {
    var w = new PtxWriter("work");
    var x = w.address("x");
    var y = w.address("y");
    var t = w.mad(w.read(Special.CTAID_X), w.read(Special.NTID_X), w.read(Special.TID_X));
    var at = Mem.global(w.madWide(t, Imm.imm(4), x));
    var sum = w.called("sum").mov(Imm.imm(0));
    w.count(
        "i",
        Imm.imm(0),
        Imm.imm(200),
        Imm.imm(1),
        i -> w.into(sum).mad(i, w.load(at, Cache.READ_ONLY), sum));
    w.store(Mem.global(w.madWide(t, Imm.imm(4), y)), sum);
    assertThat(run(w, Grid.of(2, 128))[3]).isEqualTo(3 * 199 * 100);
    assertThat(driver.executed()).isBetween(256 * 200 * 5L, 256 * 205 * 5L);
    assertThat(driver.launches()).isOne();
  }
}
