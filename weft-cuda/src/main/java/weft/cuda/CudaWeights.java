package weft.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.HostMemory;
import weft.backend.HostWeights;
import weft.backend.MemorySource;
import weft.backend.PreparedWeights;
import weft.backend.Weights;
import weft.cuda.driver.Driver;
import weft.cuda.product.RowLayout;
import weft.lir.Operand;

/**
 * Tensors in the device's memory, copied there when a program first names them: matrices as they
 * are packed, small ones as numbers; owns the copies.
 */
final class CudaWeights implements PreparedWeights {
  /** Bytes that are laid out before they are sent. */
  private static final long WINDOW = 64L << 20;

  /** Pieces of those that cores take one after the other. */
  private static final int SHARES = 64;

  private final HostWeights host;
  private final Device owner;
  private final Driver driver;
  private final Map<Object, Long> copies = new HashMap<>();
  private final List<Long> owned = new ArrayList<>();

  CudaWeights(Weights weights, Device owner, Driver driver) {
    this.host = new HostWeights(weights, MemorySource.ARENA, owner);
    this.owner = owner;
    this.driver = driver;
  }

  static CudaWeights of(Device owner, PreparedWeights prepared) {
    if (prepared instanceof CudaWeights own && own.owner == owner) return own;
    throw new BackendException(
        "weights that another device has prepared; prepare them with the device that runs the"
            + " program");
  }

  HostWeights host() {
    return host;
  }

  /** Numbers that no step changes, as float32. */
  long numbers(HostMemory memory, Operand operand) {
    return numbers(memory, List.of(operand));
  }

  /** Those of several operands, behind each other. */
  long numbers(HostMemory memory, List<? extends Operand> operands) {
    var key = List.of("numbers", keys(memory, operands));
    return copies.computeIfAbsent(
        key,
        _ -> {
          var all = new ArrayList<float[]>();
          long count = 0;
          for (var operand : operands) {
            var some = memory.fixed(operand);
            all.add(some);
            count += some.length;
          }
          return uploaded(all, count);
        });
  }

  /** What a setup made is the same for all programs if its memory is. */
  private static List<Object> keys(HostMemory memory, List<? extends Operand> operands) {
    var keys = new ArrayList<>();
    for (var operand : operands) {
      keys.add(operand);
      if (operand instanceof Operand.View view) keys.add(memory.buffer(view).address());
    }
    return keys;
  }

  /** Matrices of one encoding and width as kernels of products read them, behind each other. */
  long packed(HostMemory memory, List<Operand.Weight> weights) {
    return copies.computeIfAbsent(
        List.of("packed", weights),
        _ -> {
          var tensors = weights.stream().map(memory::tensor).toList();
          long rows = tensors.stream().mapToLong(Weights.Tensor::rows).sum();
          long to = allocate(rows * layout(tensors.getFirst()).rowBytes());
          long at = to;
          for (var tensor : tensors) at = pack(tensor, at);
          return to;
        });
  }

  private static RowLayout layout(Weights.Tensor tensor) {
    return RowLayout.of(tensor.encoding(), tensor.columns());
  }

  /** Lays a tensor out at an address; gives where it ends. */
  private long pack(Weights.Tensor tensor, long at) {
    var layout = layout(tensor);
    long rowBytes = layout.rowBytes();
    boolean isAsInFile = tensor.encoding().blockValues() == 1 && rowBytes == tensor.rowBytes();
    long rows = tensor.rows() / tensor.parts().size();
    for (var part : tensor.parts()) {
      if (isAsInFile) driver.upload(part, at);
      else packed(layout, part, rows, tensor.rowBytes(), at);
      at += rows * rowBytes;
    }
    return at;
  }

  /** Some rows at a time, laid out by all cores. */
  private void packed(RowLayout layout, MemorySegment from, long rows, long fileBytes, long to) {
    long window = Math.max(1, WINDOW / layout.rowBytes());
    try (var arena = Arena.ofShared()) {
      var memory = arena.allocate(Math.min(rows, window) * layout.rowBytes(), 64);
      for (long first = 0; first < rows; first += window) {
        long begin = first;
        long count = Math.min(window, rows - first);
        long share = Math.ceilDiv(count, SHARES);
        IntStream.range(0, SHARES)
            .parallel()
            .forEach(
                i -> {
                  long start = Math.min(count, i * share);
                  long some = Math.min(share, count - start);
                  if (some < 1) return;
                  layout.pack(
                      from.asSlice((begin + start) * fileBytes, some * fileBytes),
                      some,
                      memory.asSlice(start * layout.rowBytes(), some * layout.rowBytes()));
                });
        driver.upload(memory.asSlice(0, count * layout.rowBytes()), to + first * layout.rowBytes());
        driver.synchronize();
      }
    }
  }

  private long uploaded(List<float[]> parts, long count) {
    long to = allocate(count * Float.BYTES);
    long at = to;
    for (var part : parts) {
      try (var arena = Arena.ofConfined()) {
        driver.upload(arena.allocateFrom(ValueLayout.JAVA_FLOAT, part), at);
      }
      at += (long) part.length * Float.BYTES;
    }
    return to;
  }

  private long allocate(long bytes) {
    long address = driver.allocate(bytes);
    owned.add(address);
    return address;
  }

  @Override
  public void close() {
    owned.forEach(driver::free);
    owned.clear();
    copies.clear();
    host.close();
  }
}
