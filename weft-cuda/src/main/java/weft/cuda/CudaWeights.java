package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * Tensors in the device's memory: matrices as they are packed, small ones as numbers. A program
 * that is bound to them gives each a place, and then they are sent. Owns the places.
 */
final class CudaWeights implements PreparedWeights {
  private final HostWeights host;
  private final Device owner;
  private final Driver driver;
  private final Map<Object, Long> places = new HashMap<>();

  /** In the order in which they were named, so that a load is like the last. */
  private final Map<Object, Missing> missing = new LinkedHashMap<>();

  /**
   * What has a place and is not there yet.
   *
   * @param rowBytes of the longest piece that is sent at once
   */
  private record Missing(long bytes, long rowBytes, Sending sending) {}

  /** Sends a tensor to its place. */
  private interface Sending {
    void to(long place, Staging staging);
  }

  CudaWeights(Weights weights, Device owner, Driver driver) {
    this(new HostWeights(weights, MemorySource.ARENA, owner), owner, driver);
  }

  private CudaWeights(HostWeights host, Device owner, Driver driver) {
    this.host = host;
    this.owner = owner;
    this.driver = driver;
  }

  static CudaWeights of(Device owner, PreparedWeights prepared) {
    if (prepared instanceof CudaWeights own && own.owner == owner) return own;
    throw new BackendException(
        "weights that another device has prepared; prepare them with the device that runs the"
            + " program");
  }

  /** The same tensors, of which nothing is anywhere yet, by another driver. */
  CudaWeights by(Driver other) {
    return new CudaWeights(host, owner, other);
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
    long count = 0;
    long longest = 0;
    for (var operand : operands) {
      long elements = elements(operand);
      count += elements;
      longest = Math.max(longest, elements);
    }
    return place(
        List.of("numbers", keys(memory, operands)),
        new Missing(
            count * Float.BYTES,
            longest * Float.BYTES,
            (place, staging) -> {
              long at = place;
              for (var operand : operands) at = send(memory.fixed(operand), at, staging);
            }));
  }

  private static long elements(Operand operand) {
    long count = 1;
    for (var dim : operand.type().dims()) count *= dim.fixed();
    return count;
  }

  private static long send(float[] numbers, long at, Staging staging) {
    long bytes = (long) numbers.length * Float.BYTES;
    staging.send(
        1,
        bytes,
        at,
        (_, _, to) ->
            MemorySegment.copy(numbers, 0, to, ValueLayout.JAVA_FLOAT, 0, numbers.length));
    return at + bytes;
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
    var tensors = weights.stream().map(memory::tensor).toList();
    long rows = tensors.stream().mapToLong(Weights.Tensor::rows).sum();
    long rowBytes = layout(tensors.getFirst()).rowBytes();
    return place(
        List.of("packed", weights),
        new Missing(
            rows * rowBytes,
            rowBytes,
            (place, staging) -> {
              long at = place;
              for (var tensor : tensors) at = send(tensor, at, staging);
            }));
  }

  private static RowLayout layout(Weights.Tensor tensor) {
    return RowLayout.of(tensor.encoding(), tensor.columns());
  }

  /** Lays a tensor out at an address; gives where it ends. */
  private static long send(Weights.Tensor tensor, long at, Staging staging) {
    var layout = layout(tensor);
    long fileBytes = tensor.rowBytes();
    boolean isAsInFile = tensor.encoding().blockValues() == 1 && layout.rowBytes() == fileBytes;
    long rows = tensor.rows() / tensor.parts().size();
    for (var part : tensor.parts()) {
      staging.send(
          rows,
          layout.rowBytes(),
          at,
          (first, count, to) -> {
            var from = part.asSlice(first * fileBytes, count * fileBytes);
            if (isAsInFile) to.copyFrom(from);
            else layout.pack(from, count, to);
          });
      at += rows * layout.rowBytes();
    }
    return at;
  }

  private long place(Object key, Missing what) {
    var known = places.get(key);
    if (known != null) return known;
    long place = driver.allocate(what.bytes);
    places.put(key, place);
    missing.put(key, what);
    return place;
  }

  /** Sends all that has a place and is not there; returns when it is. */
  void send() {
    if (missing.isEmpty()) return;
    long bytes = missing.values().stream().mapToLong(Missing::bytes).sum();
    long longest = missing.values().stream().mapToLong(Missing::rowBytes).max().orElse(0);
    try (var staging = new Staging(driver, bytes, longest)) {
      missing.forEach((key, what) -> what.sending.to(places.get(key), staging));
      staging.finish();
      missing.clear();
    }
  }

  /** Gives the places back of what was not sent: the program that named it does not come to be. */
  void forgetMissing() {
    missing.keySet().forEach(key -> driver.free(places.remove(key)));
    missing.clear();
  }

  @Override
  public void close() {
    places.values().forEach(driver::free);
    places.clear();
    missing.clear();
    host.close();
  }
}
