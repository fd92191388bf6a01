package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.HostMemory;
import weft.backend.HostWeights;
import weft.backend.MemorySource;
import weft.backend.PreparedWeights;
import weft.backend.Weights;
import weft.cuda.driver.Driver;
import weft.cuda.product.RowLayout;
import weft.experts.ExpertMemory;
import weft.ir.Op;
import weft.lir.Operand;
import weft.lir.Program;

/**
 * Tensors in the device's memory: matrices as they are packed, small ones as numbers. A program
 * that is bound to them gives each a place, and then they are sent. Owns the places.
 */
final class CudaWeights implements PreparedWeights {
  private final HostWeights host;
  private final Device owner;
  private final Driver driver;
  private final Optional<ExpertMemory> budget;
  private volatile Optional<ExpertSlots> slots = Optional.empty();
  private boolean hasMet;
  private final Map<Object, Long> places = new HashMap<>();
  private final TreeMap<Long, Memory> rooms = new TreeMap<>();

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

  CudaWeights(Weights weights, Device owner, Driver driver, Optional<ExpertMemory> budget) {
    this(new HostWeights(weights, MemorySource.ARENA, owner), owner, driver, budget);
  }

  private CudaWeights(
      HostWeights host, Device owner, Driver driver, Optional<ExpertMemory> budget) {
    this.host = host;
    this.owner = owner;
    this.driver = driver;
    this.budget = budget;
  }

  static CudaWeights of(Device owner, PreparedWeights prepared) {
    if (prepared instanceof CudaWeights own && own.owner == owner) return own;
    throw new BackendException(
        "weights that another device has prepared; prepare them with the device that runs the"
            + " program");
  }

  /** The same tensors, of which nothing is anywhere yet, by another driver. */
  CudaWeights by(Driver other) {
    return new CudaWeights(host, owner, other, budget);
  }

  /**
   * Experts of the first program that has any have slots, where a budget says so; what another
   * program has besides lies where other weights do.
   */
  void keepExperts(Program program, HostMemory memory) {
    if (budget.isEmpty() || hasMet) return;
    var layers = new ArrayList<List<Weights.Tensor>>();
    int experts = 0;
    for (var launch : program.steps()) {
      if (!(launch.op() instanceof Op.Experts op)) continue;
      var tensors = new ArrayList<Weights.Tensor>();
      for (var weight : List.of(op.gate(), op.up(), op.down())) {
        tensors.add(memory.tensor((Operand.Weight) launch.operand(weight)));
      }
      layers.add(tensors);
      experts = Math.max(experts, op.scores().type().width());
    }
    if (layers.isEmpty()) return;
    slots = ExpertSlots.of(driver, budget.get(), layers, experts);
    hasMet = true;
  }

  /** The experts in slots, once a program has had some. */
  Optional<ExpertSlots> slots() {
    return slots;
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

  /**
   * Memory of at least so many bytes, in which a launch has a weight in another form. Its programs
   * share it, for they are told in one queue, and programs of a model need as much as each other:
   * it stays where it is, and one that needs more has another.
   */
  Memory room(long bytes) {
    var known = rooms.ceilingEntry(bytes);
    if (known != null) return known.getValue();
    var room = new Memory(driver).allocate(bytes);
    rooms.put(bytes, room);
    return room;
  }

  private static RowLayout layout(Weights.Tensor tensor) {
    return RowLayout.of(tensor.encoding(), tensor.columns());
  }

  /** Lays a tensor out at an address; gives where it ends. */
  private static long send(Weights.Tensor tensor, long at, Staging staging) {
    return send(tensor, 0, tensor.rows(), at, staging);
  }

  /** The same of some of its rows. */
  static long send(Weights.Tensor tensor, long first, long rows, long at, Staging staging) {
    var layout = layout(tensor);
    long fileBytes = tensor.rowBytes();
    boolean isAsInFile = tensor.encoding().blockValues() == 1 && layout.rowBytes() == fileBytes;
    long ofPart = tensor.rows() / tensor.parts().size();
    for (long row = first; row < first + rows; ) {
      var part = tensor.parts().get(Math.toIntExact(row / ofPart));
      long begin = row % ofPart;
      long some = Math.min(ofPart - begin, first + rows - row);
      staging.send(
          some,
          layout.rowBytes(),
          at,
          (from, count, to) -> {
            var there = part.asSlice((begin + from) * fileBytes, count * fileBytes);
            if (isAsInFile) to.copyFrom(there);
            else layout.pack(there, count, to);
          });
      at += some * layout.rowBytes();
      row += some;
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
    slots.ifPresent(ExpertSlots::close);
    slots = Optional.empty();
    places.values().forEach(driver::free);
    places.clear();
    rooms.values().forEach(Memory::close);
    rooms.clear();
    missing.clear();
    host.close();
  }
}
