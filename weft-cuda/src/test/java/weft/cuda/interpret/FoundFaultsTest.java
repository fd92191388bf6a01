package weft.cuda.interpret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import weft.cuda.driver.CudaException;
import weft.cuda.driver.Driver;
import weft.cuda.driver.Driver.Grid;

/** Faults that are planted, one of each kind that the interpreter is there to find. */
class FoundFaultsTest {
  private final InterpretedDriver driver = new InterpretedDriver(1 << 24, 3);

  /** Registers and first lines of every body: x is memory of 256 bytes, t the thread. */
  private static final String FRAME =
      """
      .version 7.4
      .target sm_80
      .address_size 64
      .visible .entry planted(.param .u64 x) {
        .reg .pred %%p<4>;
        .reg .b32 %%r<8>, %%t;
        .reg .b64 %%d<8>, %%x;
        .reg .f32 %%f<8>;
        .shared .align 16 .b8 memory[512];
        ld.param.u64 %%x, [x];
        mov.u32 %%t, %%tid.x;
        mov.u32 %%r7, memory;
        mad.lo.s32 %%r6, %%t, 4, %%r7;
        mad.wide.u32 %%d7, %%t, 4, %%x;
      %s
        ret;
      }
      """;

  /** Line 15 is the body's first. */
  private void run(int threads, String body) {
    run(1, threads, body);
  }

  private void run(int blocks, int threads, String body) {
    long x = driver.allocate(256);
    driver.upload(MemorySegment.ofArray(new byte[128]), x);
    var function = driver.module(FRAME.formatted(body.stripTrailing())).function("planted");
    driver.launch(function, Grid.of(blocks, threads), x);
  }

  private void finds(int threads, String body, String... words) {
    assertThatThrownBy(() -> run(threads, body))
        .isInstanceOf(CudaException.class)
        .satisfies(e -> assertThat(e.getMessage()).startsWith("planted").contains(words));
  }

  @Test
  void accessesOutOfBounds() {
    finds(
        65,
        "st.global.b32 [%d7], %t;",
        "planted, line 15, `st.global.b32 [%d7], %t`: block (0, 0, 0), thread 64 writes 4 bytes",
        "out of bounds: 0 bytes behind the end of an allocation of 256");
    finds(1, "ld.global.b32 %r0, [%d7+-4];", "reads 4 bytes", "out of bounds");
    finds(129, "st.shared.b32 [%r6], %t;", "thread 128 writes 4 bytes at 512 of 512 bytes");
  }

  @Test
  void memoryThatIsFreed() {
    long x = driver.allocate(256);
    driver.upload(MemorySegment.ofArray(new byte[256]), x);
    var f = driver.module(FRAME.formatted("ld.global.b32 %r0, [%d7];")).function("planted");
    driver.launch(f, Grid.of(1, 1), x);
    driver.free(x);
    assertThatThrownBy(() -> driver.launch(f, Grid.of(1, 1), x)).hasMessageContaining("reads 4");
    assertThatThrownBy(() -> driver.free(x)).hasMessageContaining("which is no allocation");
  }

  /** Kernels that begin before the last has ended must wait before they touch what it writes. */
  @Test
  void accessesAheadOfEarlierLaunches() {
    var write = "griddepcontrol.wait;\n st.global.b32 [%d7], %t;";
    var read = "ld.global.b32 %r0, [%d7];\n griddepcontrol.wait;";
    long x = driver.allocate(256);
    driver.upload(MemorySegment.ofArray(new byte[256]), x);
    driver.launch(planted(read), Grid.of(1, 32), x);
    driver.launch(planted(write), Grid.of(1, 32), x);
    assertThatThrownBy(() -> driver.launch(planted(read), Grid.of(1, 32), x))
        .hasMessageContaining("before it has waited for earlier launches");
    var constant = "griddepcontrol.wait;\n ld.global.nc.b32 %r0, [%d7];";
    assertThatThrownBy(() -> driver.launch(planted(constant), Grid.of(1, 32), x))
        .hasMessageContaining("as a constant (.nc), which kernels write");
    finds(1, "st.global.b32 [%d7], %t;\n griddepcontrol.wait;", "writes", "before it has waited");
    finds(1, "red.global.add.u32 [%d7], %t;\n griddepcontrol.wait;", "changes", "before it has");
    finds(1, "cp.async.bulk.prefetch.L2.global [%d7], 24;", "fetches 24", "multiples of 16");
    finds(1, "cp.async.bulk.prefetch.L2.global [%d7], 272;", "fetches 272", "out of bounds");
  }

  private Driver.Function planted(String body) {
    return driver.module(FRAME.formatted(body)).function("planted");
  }

  @Test
  void misalignedAccesses() {
    finds(1, "ld.global.b32 %r0, [%d7+2];", "misaligned");
    finds(2, "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%d7];", "thread 1 reads 16", "misaligned");
    finds(2, "st.shared.v2.b32 [%r6], {%r6, %r7};", "thread 1 writes 8", "misaligned");
  }

  @Test
  void readsOfUnwrittenMemory() {
    finds(64, "ld.global.b32 %r0, [%d7];", "thread 32 reads 4 bytes at", "unwritten");
    finds(1, "ld.shared.b32 %r0, [%r6];", "reads shared memory at 0, unwritten");
    finds(1, "atom.global.add.u32 %r0, [%d7+128], 1;", "changes 4 bytes", "unwritten");
  }

  @Test
  void racesInSharedMemory() {
    var across =
        """
          st.shared.b32 [%r6], %t;
          and.b32 %r1, %t, 31;
          mad.lo.s32 %r1, %r1, 4, %r7;
          BARRIER
          ld.shared.b32 %r0, [%r1];
        """;
    finds(
        64, across.replace("BARRIER", ""), "race: reads shared memory at 0, which thread 0 wrote");
    run(64, across.replace("BARRIER", "bar.sync 0;"));
    var within = across.replace("and.b32 %r1, %t, 31", "xor.b32 %r1, %t, 1");
    finds(
        32, within.replace("BARRIER", ""), "race: reads shared memory at 4, which thread 1 wrote");
    run(32, within.replace("BARRIER", "bar.warp.sync 0xffffffff;"));
    finds(2, "st.shared.b32 [%r7], %t;", "thread 1 race: writes shared memory at 0", "0 wrote");
  }

  @Test
  void writesOverWhatOthersStillRead() {
    var body =
        """
          st.shared.b32 [%r6], %t;
          bar.sync 0;
          ld.shared.b32 %r0, [%r7+4];
          BARRIER
          setp.eq.s32 %p0, %t, 1;
          @%p0 st.shared.b32 [%r7+4], %t;
        """;
    finds(64, body.replace("BARRIER", ""), "race: writes shared memory at 4, which thread 31 read");
    run(64, body.replace("BARRIER", "bar.sync 0;"));
  }

  @Test
  void bytesOfOneWordAreTheirWritersOwn() {
    run(64, "add.s32 %r1, %r7, %t; st.shared.u8 [%r1], %t;");
  }

  @Test
  void racesInGlobalMemory() {
    finds(2, "st.global.b32 [%x], %t;", "race: writes global memory that block 0, thread 0 wrote");
    assertThatThrownBy(() -> run(2, 1, "st.global.b32 [%x], %t;"))
        .hasMessageContaining("block (1, 0, 0), thread 0 race: writes global memory");
    var reads = "st.global.b32 [%d7], %t; BARRIER ld.global.b32 %r0, [%x];";
    finds(64, reads.replace("BARRIER", ""), "race: reads global memory that block 0, thread 0");
    run(64, reads.replace("BARRIER", "bar.sync 0;"));
    run(2, 32, "atom.global.add.u32 %r0, [%x], 1;");
  }

  @Test
  void barriersWhereLanesPart() {
    finds(
        32,
        """
          setp.lt.u32 %p0, %t, 16;
          @!%p0 bra past;
          bar.sync 0;
        past:
        """,
        "divergent barrier: of the warp's lanes ffffffff only 0000ffff are here");
    finds(32, "setp.lt.u32 %p0, %t, 9; @%p0 bar.sync 0;", "divergent barrier");
  }

  @Test
  void barriersWhereNotAllCome() {
    finds(
        64,
        """
          setp.lt.u32 %p0, %t, 32;
          @%p0 ret;
          bar.sync 0;
        """,
        "deadlock",
        "warp 0 has ended; warp 1 waits at line 17, `bar.sync 0`");
  }

  @Test
  void lanesThatShuffleAlone() {
    finds(
        32,
        """
          setp.lt.u32 %p0, %t, 8;
          @!%p0 bra past;
          shfl.sync.bfly.b32 %r0, %t, 1, 31, -1;
        past:
          bar.sync 0;
        """,
        "divergent barrier: of the warp's lanes ffffffff only ffffff00");
    finds(20, "shfl.sync.bfly.b32 %r0, %t, 16, 31, -1;", "takes from lane 20, which is not there");
    finds(32, "setp.lt.u32 %p0, %t, 8; @%p0 bar.warp.sync -1;", "only 000000ff take part");
  }

  @Test
  void kernelsWithoutEnd() {
    finds(1, "again: bra again;", "1 blocks run without end");
    // Blocks that wait for each other have turns.
    run(
        4,
        1,
        """
          red.release.gpu.global.add.u32 [%x], 1;
        again:
          ld.acquire.gpu.global.u32 %r0, [%x];
          setp.lt.u32 %p0, %r0, 4;
          @%p0 bra again;
        """);
  }

  @Test
  void copiesThatAreNotWaitedFor() {
    var body =
        """
          cp.async.cg.shared.global [%r7], [%x], 16;
          cp.async.commit_group;
          WAIT
          ld.shared.b32 %r0, [%r7];
        """;
    finds(1, body.replace("WAIT", ""), "reads shared memory at 0, where a copy is on its way");
    run(1, body.replace("WAIT", "cp.async.wait_group 0;"));
    finds(1, "cp.async.cg.shared.global [%r7+4], [%x], 16;", "misaligned");
  }

  @Test
  void bulkCopiesAndTheirBarriers() {
    var body =
        """
          mbarrier.init.shared::cta.b64 [%r7+256], 1;
          mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r7+256], 32;
          cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r7], [%x], 32, [%r7+256];
        again:
          mbarrier.try_wait.parity.shared::cta.b64 %p0, [%r7+256], 0;
          @!%p0 bra again;
          ld.shared.b32 %r0, [%r7+28];
        """;
    run(1, body);
    finds(
        1,
        body.replace("@!%p0 bra", "// @!%p0 bra").replace("mbarrier.try", "// mbarrier.try"),
        "a copy is on its way");
    finds(1, body.replace("[%x], 32", "[%x+8], 32"), "all must be multiples of 16, misaligned");
    finds(1, body.replace("_, [%r7+256], 32", "_, [%r7+256], 48"), "run without end");
    finds(1, body.replace("[%r7+256], 1;", "[%r7+264], 1;"), "a barrier that nobody has made");
  }

  @Test
  void matricesThatTakeAllLanes() {
    finds(
        31,
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r7];",
        "works with matrices, which takes 32 lanes");
  }

  @Test
  void rowsOfAMatrixInTheSameBanks() {
    var body =
        """
          and.b32 %r1, %t, 7;
          mad.lo.s32 %r2, %r1, PITCH, %r7;
          setp.lt.u32 %p0, %t, 8;
          @%p0 st.shared.v4.b32 [%r2], {%r1, %r1, %r1, %r1};
          bar.warp.sync 0xffffffff;
          ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r2];
        """;
    finds(
        32,
        body.replace("PITCH", "64"),
        "loads rows 0 and 2 of a matrix from the same banks, at 0 and 128");
    run(32, body.replace("PITCH", "48"));
  }

  /** Every thread writes a row of 128 bytes; four warps multiply 64 of them with eight others. */
  private static final String GROUP =
      """
      .version 8.0
      .target sm_90a
      .address_size 64
      .visible .entry planted(.param .u64 x) {
        .reg .pred %p0;
        .reg .b32 %r<4>, %t;
        .reg .b64 %d<4>;
        .reg .f32 %f<4>;
        .shared .align 1024 .b8 memory[16384];
        mov.u32 %t, %tid.x;
        mov.u32 %r0, memory;
        mad.lo.s32 %r1, %t, 128, %r0;
        mov.b32 %r2, 0;
        mov.b32 %r3, 0;
        setp.eq.s32 %p0, %t, %t;
        mov.f32 %f0, 0f00000000;
        mov.f32 %f1, %f0;
        mov.f32 %f2, %f0;
        mov.f32 %f3, %f0;
        STORES
        mov.b64 %d0, 4611686293305360384;
        add.s64 %d1, %d0, 512;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d0, %d1, %p0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        // meanwhile
        wgmma.wait_group.sync.aligned 0;
        ret;
      }
      """
          .replace("STORES", stores());

  private static String stores() {
    var text = new StringBuilder();
    for (int i = 0; i < 128; i += 16) {
      text.append("st.shared.v4.b32 [%r1+").append(i).append("], {%r2, %r2, %r2, %r2};\n");
    }
    return text.toString();
  }

  @Test
  void productsOfGroups() {
    group(GROUP);
    group("fence.proxy.async.shared::cta;", "", "wrote with no fence.proxy.async");
    group("  bar.sync 0;", "", "race: reads shared memory", "with no barrier between");
    group("wgmma.fence.sync.aligned;", "", "without a wgmma.fence");
    group("add.s64 %d1, %d0, 512", "add.s64 %d1, %d0, 520", "begin at a multiple of 1024");
    group("4611686293305360384", "274877972480", "is not swizzled by 128 bytes");
    group("add.s64 %d1, %d0, 512", "cvt.u64.u32 %d1, %t", "another matrix than the warp's first");
    var again = "bar.sync 0;\n st.shared.b32 [%r1], %r2;\n bar.sync 0;";
    group("// meanwhile", again, "wrote with no fence.proxy.async");
    group("// meanwhile", "st.shared.b32 [%r1], %r2;", "race: writes shared memory");
  }

  private void group(String text) {
    driver.launch(driver.module(text).function("planted"), Grid.of(1, 128), driver.allocate(16));
  }

  private void group(String line, String other, String... words) {
    assertThat(GROUP).contains(line);
    assertThatThrownBy(() -> group(GROUP.replace(line, other)))
        .isInstanceOf(CudaException.class)
        .satisfies(e -> assertThat(e.getMessage()).startsWith("planted").contains(words));
  }

  @Test
  void textsThatADriverRefuses() {
    finds(1, "mov.b32 %r9, 1;", "line 15, `mov.b32 %r9, 1`: register %r9 is not declared");
    finds(1, "bra nowhere;", "label nowhere is nowhere");
    finds(1, "add.s32 %r0, %f0, %r1;", "register %f0 is .f32 and does not fit .s32");
    finds(1, "add.s64 %d0, %d1, %r1;", "register %r1 is .b32 and does not fit .s64");
    finds(1, "frob.b32 %r0, %r1;", "no instruction that the interpreter knows");
    finds(1, "ld.global.v4.b32 {%r0, %r1}, [%x];", "2 registers where 4 belong");
    finds(1, "add.s32 %r0, %r1;", "too few operands");
  }
}
