package weft.cpu.kernel.product;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.CodeMemory;
import weft.cpu.asm.Hosts;
import weft.cpu.asm.Isa;
import weft.cpu.kernel.KernelLibrary;
import weft.cpu.kernel.Rig;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.PlainRows;
import weft.cpu.kernel.format.AbreastCode;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Both walks, whichever this machine's caches would choose. */
class AbreastMatMulTest {
  private static final int K = 768;

  /** No row, one, some under a group, groups alone, one and the most of them left over. */
  private static final List<Integer> SHARES = List.of(0, 1, 15, 16, 17, 31, 32, 48, 49, 79, 160);

  static Stream<Arguments> cases() {
    return Hosts.levels().stream()
        .filter(isa -> isa.includes(Isa.VNNI))
        .flatMap(
            isa ->
                Encodings.all().stream()
                    .filter(e -> format(e, isa) != AbreastCode.NONE)
                    .map(e -> Arguments.of(isa, e)));
  }

  private static AbreastCode.Format format(Encoding encoding, Isa isa) {
    return FormatCode.of(encoding).map(code -> code.abreast(isa)).orElse(AbreastCode.NONE);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void walksHaveTheBitsOfManyRows(Isa isa, Encoding encoding) {
    for (int tokens : new int[] {2, 5, 8, 16}) {
      for (int rows : SHARES) {
        try (var rig = new Rig(isa)) {
          var products = new Products(rig, encoding, tokens, rows);
          var many = products.run(rig.library.matMul(encoding));
          for (var walk : AbreastMatMul.Walk.values()) {
            try (var memory = emit(isa, encoding, tokens, walk)) {
              assertThat(products.run(new Kernel(memory.entry(walk.name()))))
                  .as("%s, %d tokens, %d rows", walk, tokens, rows)
                  .containsExactly(many);
            }
          }
        }
      }
    }
  }

  private static CodeMemory emit(Isa isa, Encoding encoding, int tokens, AbreastMatMul.Walk walk) {
    var assembler = new Assembler();
    AbreastMatMul.emit(
        new KernelWriter(assembler, isa),
        walk.name(),
        AbreastLayout.turn(tokens),
        format(encoding, isa),
        walk);
    return CodeMemory.load(assembler.assemble());
  }

  /** A share that begins at its second row, in memory that ends with what it may touch. */
  private static final class Products {
    private final int rows;
    private final MemorySegment out;
    private final MemorySegment block;
    private final MemorySegment scratch;

    Products(Rig rig, Encoding encoding, int tokens, int rows) {
      this.rows = rows;
      var activations = Activations.of(encoding, K);
      var input = rig.quantized(rig.randomFloats(tokens * K, 1), activations);
      out = rig.allocate((long) Float.BYTES * tokens * (rows + 1));
      block = rig.allocate(MatMulArguments.BYTES);
      scratch = rig.allocate(KernelLibrary.SCRATCH_BYTES);
      new MatMulArguments(
              new PlainRows(rig.weights(encoding, rows + 1, K), encoding.bytes(K)),
              K,
              new PlainRows(input, activations.rowBytes()),
              tokens,
              PlainRows.packed(out, rows + 1))
          .write(block);
    }

    float[] run(Kernel kernel) {
      out.fill((byte) 0);
      kernel.run(block, 1, rows + 1, scratch);
      return out.toArray(JAVA_FLOAT);
    }
  }
}
