package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.CALL;
import static weft.cpu.asm.BaseOp.LEA;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.RET;
import static weft.cpu.asm.BaseOp.SUB;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RDI;
import static weft.cpu.asm.Gpr.RDX;
import static weft.cpu.asm.Gpr.RSI;
import static weft.cpu.asm.Gpr.RSP;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CodeMemoryTest {
  private static final FunctionDescriptor TWO_LONGS =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG);

  @BeforeEach
  void emittedCodeRunsHere() {
    Hosts.assumeEmits();
  }

  private static Code sum() {
    var a = new Assembler();
    a.entry("sum");
    a.op(LEA, RAX, at(RDI, RSI, 1));
    a.op(RET);
    return a.assemble();
  }

  @Test
  void callsByTypeAndByTheOneConvention() throws Throwable {
    var a = new Assembler();
    a.entry("store"); // (long[1] out, first, second)
    a.op(ADD, RSI, RDX);
    a.op(MOV, at(RDI), RSI);
    a.op(RET);
    try (var sum = CodeMemory.load(sum());
        var store = CodeMemory.load(a.assemble());
        var arena = Arena.ofConfined()) {
      var plain = sum.entry("sum").handle(TWO_LONGS);
      assertThat((long) plain.invokeExact(40L, 2L)).isEqualTo(42);
      var out = arena.allocate(JAVA_LONG);
      store.entry("store").call(out, -1, 1L << 40, MemorySegment.NULL);
      assertThat(out.get(JAVA_LONG, 0)).isEqualTo((1L << 40) - 1);
    }
  }

  @Test
  void pagesAreReadableAndExecutableButNotWritable() throws IOException {
    try (var memory = CodeMemory.load(sum())) {
      assertThat(permissions(memory)).containsExactly("r-xp");
    }
  }

  private static List<String> permissions(CodeMemory memory) throws IOException {
    long address = memory.pagesForTest().address();
    return maps().stream()
        .filter(line -> holds(line.split("[- ]"), address))
        .map(line -> line.split(" ")[1])
        .toList();
  }

  private static boolean holds(String[] range, long address) {
    return Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
        && Long.compareUnsigned(Long.parseUnsignedLong(range[1], 16), address) > 0;
  }

  private static List<String> maps() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps"));
  }

  @Test
  void closingGivesThePagesBack() throws IOException {
    var code = sum();
    CodeMemory.load(code).close();
    int before = maps().size();
    for (int i = 0; i < 500; i++) {
      CodeMemory.load(code).close();
    }
    // The JVM maps as it pleases; five hundred leaked mappings would not fit in this slack.
    assertThat(maps().size()).isLessThan(before + 100);
  }

  @Test
  void callAfterCloseIsRefused() {
    var memory = CodeMemory.load(sum());
    var handle = memory.entry("sum").handle(TWO_LONGS);
    memory.close();
    assertThatThrownBy(() -> handle.invoke(1L, 2L))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(memory::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void unknownEntriesAreNamed() {
    try (var memory = CodeMemory.load(sum())) {
      assertThatThrownBy(() -> memory.entry("product"))
          .isInstanceOf(AsmException.class)
          .hasMessage("the code has no entry product; it has [sum]");
    }
  }

  @Test
  void emittedCodeCallsThroughATableOfEntries() throws Throwable {
    var a = new Assembler();
    a.entry("twice"); // (table, x): table[1](x) + table[1](x) by way of the stack
    a.op(SUB, RSP, imm(24));
    a.op(MOV, at(RSP), RDI);
    a.op(MOV, at(RSP, 8), RSI);
    a.op(CALL, at(RDI, 8).sized(64));
    a.op(MOV, at(RSP, 16), RAX);
    a.op(MOV, RDI, at(RSP));
    a.op(MOV, RSI, at(RSP, 8));
    a.op(CALL, at(RDI, 8).sized(64));
    a.op(ADD, RAX, at(RSP, 16));
    a.op(ADD, RSP, imm(24));
    a.op(RET);
    a.entry("next"); // (ignored, x)
    a.op(LEA, RAX, at(RSI, 1));
    a.op(RET);
    try (var memory = CodeMemory.load(a.assemble());
        var arena = Arena.ofConfined()) {
      var table = arena.allocate(ADDRESS, 2);
      memory.entry("next").writeTo(table, 8);
      var twice =
          memory.entry("twice").handle(FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG));
      assertThat((long) twice.invokeExact(table, 20L)).isEqualTo(42);
    }
  }
}
