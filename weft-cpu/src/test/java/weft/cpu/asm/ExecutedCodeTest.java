package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.Vec.xmm;
import static weft.cpu.asm.Vec.zmm;
import static weft.cpu.asm.VectorOp.*;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small functions that are run, so that what the encoder writes also does what it says. */
class ExecutedCodeTest {
  private final Arena arena = Arena.ofConfined();
  private final List<CodeMemory> loaded = new ArrayList<>();

  @BeforeEach
  void emittedCodeRunsHere() {
    Hosts.assumeEmits();
  }

  @AfterEach
  void free() {
    loaded.forEach(CodeMemory::close);
    arena.close();
  }

  /** A function written by {@code body}, kept until the test ends. */
  private MethodHandle function(FunctionDescriptor type, Consumer<Assembler> body) {
    var a = new Assembler();
    a.entry("f");
    body.accept(a);
    var memory = CodeMemory.load(a.assemble());
    loaded.add(memory);
    return memory.entry("f").handle(type);
  }

  @Test
  void aLoopCountsAndBranches() throws Throwable {
    var collatz =
        function(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG),
            a -> {
              var loop = a.label("loop");
              var odd = a.label("odd");
              var next = a.label("next");
              var done = a.label("done");
              a.op(XOR, RAX.d(), RAX.d());
              a.bind(loop);
              a.op(CMP, RDI, imm(1));
              a.op(JE, done);
              a.op(INC, RAX);
              a.op(MOV, RCX, RDI);
              a.op(AND, RCX.d(), imm(1));
              a.op(JNE, odd);
              a.op(SHR, RDI, imm(1));
              a.op(JMP, next);
              a.bind(odd);
              a.op(LEA, RDI, at(RDI, RDI, 2, 1));
              a.bind(next);
              a.op(JMP, loop);
              a.bind(done);
              a.op(RET);
            });
    assertThat((long) collatz.invokeExact(27L)).isEqualTo(111);
    assertThat((long) collatz.invokeExact(1L)).isEqualTo(0);
  }

  @Test
  void aFunctionCallsItself() throws Throwable {
    var factorial =
        function(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG),
            a -> {
              var self = a.label("self");
              var base = a.label("base");
              a.bind(self);
              a.op(CMP, RDI, imm(1));
              a.op(JLE, base);
              a.op(PUSH, RDI);
              a.op(DEC, RDI);
              a.op(CALL, self);
              a.op(POP, RDI);
              a.op(IMUL, RAX, RDI);
              a.op(RET);
              a.bind(base);
              a.op(MOV, RAX.d(), imm(1));
              a.op(RET);
            });
    assertThat((long) factorial.invokeExact(20L)).isEqualTo(2432902008176640000L);
  }

  @Test
  void bitInstructionsAgreeWithJava() throws Throwable {
    var type = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);
    var pext = function(type, a -> ret(a, PEXT, RAX, RDI, RSI));
    var pdep = function(type, a -> ret(a, PDEP, RAX, RDI, RSI));
    var shlx = function(type, a -> ret(a, SHLX, RAX, RDI, RSI));
    long x = 0x123456789abcdef0L;
    long m = 0x0ff00ff03c3c5555L;
    assertThat((long) pext.invokeExact(x, m)).isEqualTo(Long.compress(x, m));
    assertThat((long) pdep.invokeExact(x, m)).isEqualTo(Long.expand(x, m));
    assertThat((long) shlx.invokeExact(x, 13L)).isEqualTo(x << 13);
  }

  private static void ret(Assembler a, Op op, Operand... operands) {
    a.op(op, operands);
    a.op(RET);
  }

  @Test
  void atomicsChangeSharedMemory() throws Throwable {
    var add =
        function(
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG),
            a -> {
              a.op(LOCK_XADD, at(RDI), RSI);
              a.op(LOCK_INC, at(RDI, 8).sized(32));
              a.op(MFENCE);
              a.op(MOV, RAX, RSI);
              a.op(RET);
            });
    var cell = arena.allocate(16, 8);
    cell.set(JAVA_LONG, 0, 5);
    try (var shared = Arena.ofShared()) {
      var counter = shared.allocate(16, 8);
      var threads = new Thread[4];
      for (int t = 0; t < threads.length; t++) {
        threads[t] =
            new Thread(
                () -> {
                  for (int i = 0; i < 1000; i++) {
                    invoke(add, counter);
                  }
                });
        threads[t].start();
      }
      for (var thread : threads) {
        thread.join();
      }
      assertThat(counter.get(JAVA_LONG, 0)).isEqualTo(3 * 4000);
      assertThat(counter.get(JAVA_INT, 8)).isEqualTo(4000);
    }
    assertThat((long) add.invokeExact(cell, 7L)).isEqualTo(5);
  }

  private static void invoke(MethodHandle add, MemorySegment cell) {
    try {
      long before = (long) add.invokeExact(cell, 3L);
      assertThat(before).isNotNegative();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(Isa.class)
  void dotProductOfFloats(Isa isa) throws Throwable {
    Hosts.assumeRuns(isa);
    int n = 96;
    var dot =
        function(
            FunctionDescriptor.of(JAVA_FLOAT, ADDRESS, ADDRESS, JAVA_LONG),
            a -> {
              var acc = new Vec(0, isa.vectorBits());
              var x = new Vec(1, isa.vectorBits());
              var loop = a.label("loop");
              a.op(VXORPS, xmm(0), xmm(0), xmm(0));
              a.op(LEA, RDI, at(RDI, RDX, 4));
              a.op(LEA, RSI, at(RSI, RDX, 4));
              a.op(NEG, RDX);
              a.bind(loop);
              a.op(VMOVUPS, x, at(RDI, RDX, 4));
              a.op(VFMADD231PS, acc, x, at(RSI, RDX, 4));
              a.op(ADD, RDX, imm(acc.bytes() / 4));
              a.op(JNE, loop);
              if (isa != Isa.AVX2) {
                a.op(VEXTRACTF64X4, x.y(), acc.z(), imm(1));
                a.op(VADDPS, acc.y(), acc.y(), x.y());
              }
              a.op(VEXTRACTF128, x.x(), acc.y(), imm(1));
              a.op(VADDPS, acc.x(), acc.x(), x.x());
              a.op(VMOVHLPS, x.x(), acc.x(), acc.x());
              a.op(VADDPS, acc.x(), acc.x(), x.x());
              a.op(VMOVSHDUP, x.x(), acc.x());
              a.op(VADDSS, acc.x(), acc.x(), x.x());
              a.op(VZEROUPPER);
              a.op(RET);
            });
    var x = arena.allocate(JAVA_FLOAT, n);
    var y = arena.allocate(JAVA_FLOAT, n);
    float expected = 0;
    for (int i = 0; i < n; i++) {
      x.setAtIndex(JAVA_FLOAT, i, i - 40);
      y.setAtIndex(JAVA_FLOAT, i, 3 - i % 7);
      expected += (i - 40) * (3 - i % 7);
    }
    assertThat((float) dot.invokeExact(x, y, (long) n)).isEqualTo(expected);
  }

  @Test
  void masksAndBroadcastsOfAvx512() throws Throwable {
    Hosts.assumeRuns(Isa.AVX512);
    var f =
        function(
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_INT),
            a -> {
              a.op(KMOVW, k(1), RDX.d());
              a.op(VMOVUPS, zmm(31).zeroing(k(1)), at(RSI));
              a.op(VADDPS, zmm(31).merging(k(1)), zmm(31), at(RSI, 4).each());
              a.op(VMOVUPS, at(RDI).merging(k(1)), zmm(31));
              a.op(VZEROUPPER);
              a.op(RET);
            });
    var from = arena.allocate(JAVA_FLOAT, 16);
    var to = arena.allocate(JAVA_FLOAT, 16);
    for (int i = 0; i < 16; i++) {
      from.setAtIndex(JAVA_FLOAT, i, i + 1);
      to.setAtIndex(JAVA_FLOAT, i, -1);
    }
    f.invokeExact(to, from, 0b1010_0000_0000_0110);
    for (int i = 0; i < 16; i++) {
      boolean chosen = (0b1010_0000_0000_0110 >> i & 1) == 1;
      assertThat(to.getAtIndex(JAVA_FLOAT, i)).as("lane " + i).isEqualTo(chosen ? i + 3 : -1);
    }
  }

  @Test
  void byteDotProductsOfVnni() throws Throwable {
    Hosts.assumeRuns(Isa.VNNI);
    var f =
        function(
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS),
            a -> {
              a.op(VPXORD, zmm(16), zmm(16), zmm(16));
              a.op(VMOVDQU8, zmm(17), at(RSI));
              a.op(VPDPBUSD, zmm(16), zmm(17), at(RDX));
              a.op(VMOVDQU32, at(RDI), zmm(16));
              a.op(VZEROUPPER);
              a.op(RET);
            });
    var out = arena.allocate(64);
    var unsigned = arena.allocate(64);
    var signed = arena.allocate(64);
    for (int i = 0; i < 64; i++) {
      unsigned.set(JAVA_BYTE, i, (byte) (255 - i));
      signed.set(JAVA_BYTE, i, (byte) (i % 2 == 0 ? -128 : 127 - i));
    }
    f.invokeExact(out, unsigned, signed);
    for (int lane = 0; lane < 16; lane++) {
      int expected = 0;
      for (int i = 4 * lane; i < 4 * lane + 4; i++) {
        expected += (255 - i) * (i % 2 == 0 ? -128 : 127 - i);
      }
      assertThat(out.getAtIndex(JAVA_INT, lane)).isEqualTo(expected);
    }
  }

  @Test
  void halfFloatsConvertAsJavaDoes() throws Throwable {
    var f =
        function(
            FunctionDescriptor.ofVoid(ADDRESS, ADDRESS),
            a -> {
              a.op(VCVTPH2PS, new Vec(2, 256), at(RSI));
              a.op(VMOVUPS, at(RDI), new Vec(2, 256));
              a.op(VZEROUPPER);
              a.op(RET);
            });
    var halves = arena.allocate(JAVA_SHORT, 8);
    var floats = arena.allocate(JAVA_FLOAT, 8);
    for (int i = 0; i < 8; i++) {
      halves.setAtIndex(JAVA_SHORT, i, (short) (0x0001 + i * 0x0f34));
    }
    f.invokeExact(floats, halves);
    for (int i = 0; i < 8; i++) {
      assertThat(floats.getAtIndex(JAVA_FLOAT, i))
          .isEqualTo(Float.float16ToFloat((short) (0x0001 + i * 0x0f34)));
    }
  }

  @Test
  void constantsAreReachedWhereverTheCodeLies() throws Throwable {
    var f =
        function(
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG),
            a -> {
              var table = a.ints("squares", 0, 1, 4, 9, 16);
              a.op(LEA, RAX, at(table));
              a.op(MOV, RAX.d(), at(RAX, RDI, 4));
              a.op(RET);
            });
    assertThat((long) f.invokeExact(3L)).isEqualTo(9);
  }
}
