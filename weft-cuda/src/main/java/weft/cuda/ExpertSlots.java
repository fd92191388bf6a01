package weft.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import weft.backend.BackendException;
import weft.backend.Weights;
import weft.cuda.driver.Driver;
import weft.cuda.product.RowLayout;
import weft.experts.ExpertMemory;
import weft.experts.Residency;
import weft.experts.RoutingListener;
import weft.experts.Traffic;

/**
 * The experts of a model in as many slots of the device's memory as a budget allows: a {@link
 * Residency} decides which, this sends them from where the checkpoint has them. A step waits behind
 * each router, for what it has chosen is known there and not before. Owns the slots. For one thread
 * at a time, but for {@link #traffic}.
 */
final class ExpertSlots implements Owned {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  /**
   * A weight of a layer's experts.
   *
   * @param rows of an expert
   * @param offset where they lie in a slot
   */
  record Part(Weights.Tensor tensor, RowLayout layout, long rows, long offset) {}

  /** The weights of a layer's experts: gate, up and down. */
  record Layer(int number, String name, List<Part> parts) {}

  private final Driver driver;
  private final ExpertMemory memory;
  private final Map<String, Layer> layers = new HashMap<>();
  private final int experts;
  private final int count;
  private final long slotBytes;
  private final Residency residency;
  private final Memory slots;
  private Optional<Staging> staging = Optional.empty();

  /** What was chosen, and behind it where each use's expert lies. */
  private Optional<MemorySegment> mail = Optional.empty();

  private int lastLayer = -1;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder promotions = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder stallNanos = new LongAdder();

  private ExpertSlots(
      Driver driver, ExpertMemory memory, List<Layer> layers, int experts, int count, long bytes) {
    this.driver = driver;
    this.memory = memory;
    this.experts = experts;
    this.count = count;
    this.slotBytes = bytes;
    for (var layer : layers) this.layers.put(layer.name, layer);
    this.residency = new Residency(count, layers.size(), experts);
    this.slots = new Memory(driver).allocate(count * bytes);
  }

  /**
   * Slots for the experts of some layers; none where there is room for all of them, which then lie
   * where other weights do.
   *
   * @param tensors gate, up and down of each layer
   * @param experts of a layer
   */
  static Optional<ExpertSlots> of(
      Driver driver, ExpertMemory memory, List<List<Weights.Tensor>> tensors, int experts) {
    var layers = new ArrayList<Layer>();
    long slotBytes = 0;
    for (var each : tensors) {
      var parts = new ArrayList<Part>();
      long at = 0;
      for (var tensor : each) {
        var layout = RowLayout.of(tensor.encoding(), tensor.columns());
        long rows = tensor.rows() / experts;
        parts.add(new Part(tensor, layout, rows, at));
        at += Math.ceilDiv(rows * layout.rowBytes(), Driver.ALIGNMENT) * Driver.ALIGNMENT;
      }
      layers.add(new Layer(layers.size(), each.getFirst().name(), List.copyOf(parts)));
      slotBytes = Math.max(slotBytes, at);
    }
    int count = memory.budget().slots(layers.size(), experts, slotBytes);
    if (count == 0) {
      throw new BackendException(
          "%s holds no expert of this model, which takes %d bytes on the device; give --expert-memory more"
              .formatted(memory.budget(), slotBytes));
    }
    if (count >= layers.size() * experts) return Optional.empty();
    return Optional.of(new ExpertSlots(driver, memory, layers, experts, count, slotBytes));
  }

  /** A layer by the name of its first weight; empty for one that has no slots. */
  Optional<Layer> layer(String name) {
    return Optional.ofNullable(layers.get(name));
  }

  /** Where the first slot has a weight; that of the next is so many bytes on. */
  long address(Part part) {
    return slots.address() + part.offset;
  }

  long slotBytes() {
    return slotBytes;
  }

  /**
   * Goes through what a layer's router has chosen, in as many rounds as it takes: in each, those
   * experts that have a slot or get one.
   *
   * @param chosen where the device has the expert of each use
   * @param placed where it takes the slot of each use's expert, or {@link Residency#NONE} for one
   *     of another round
   * @param round tells of the products of a round
   */
  void visit(Layer layer, long chosen, int uses, long placed, Runnable round) {
    var lists = mail(2L * uses * Integer.BYTES);
    var told = lists.asSlice(0, (long) uses * Integer.BYTES);
    var places = lists.asSlice(told.byteSize(), told.byteSize());
    driver.download(chosen, told);
    driver.synchronize();
    int[] wanted = told.toArray(INT);
    var remaining = begin(layer, wanted);
    boolean isFirst = true;
    while (!remaining.isEmpty()) {
      var here = enter(layer, remaining);
      // The last round's list may still be on its way.
      if (!isFirst) driver.synchronize();
      isFirst = false;
      for (int i = 0; i < uses; i++) {
        boolean isHere = here.get(wanted[i]);
        int slot = isHere ? residency.slot(id(layer, wanted[i])) : Residency.NONE;
        places.setAtIndex(INT, i, slot);
      }
      driver.upload(places, placed);
      round.run();
      here.stream().forEach(e -> residency.leave(residency.slot(id(layer, e))));
      remaining.andNot(here);
    }
  }

  private MemorySegment mail(long size) {
    if (mail.isEmpty() || mail.get().byteSize() < size) {
      driver.synchronize();
      mail.ifPresent(driver::unpin);
      mail = Optional.empty();
      mail = Optional.of(driver.pinned(size));
    }
    return mail.get();
  }

  private int id(Layer layer, int expert) {
    return residency.expert(layer.number, expert);
  }

  /** Which experts a step uses of a layer, told to whoever counts. */
  private BitSet begin(Layer layer, int[] wanted) {
    if (layer.number <= lastLayer) promote();
    lastLayer = layer.number;
    var rows = new int[experts];
    for (int e : wanted) rows[e]++;
    var used = new BitSet();
    for (int e = 0; e < experts; e++) {
      if (rows[e] == 0) continue;
      used.set(e);
      residency.used(id(layer, e), rows[e]);
      (residency.slot(id(layer, e)) == Residency.NONE ? misses : hits).increment();
    }
    if (memory.listener() != RoutingListener.NONE) {
      memory.listener().routed(layer.number, used.stream().toArray());
    }
    return used;
  }

  /** Those of some experts that are there, and as many others as there are slots for. */
  private BitSet enter(Layer layer, BitSet remaining) {
    var here = new BitSet();
    remaining.stream()
        .filter(e -> residency.slot(id(layer, e)) != Residency.NONE)
        .forEach(here::set);
    here.stream().forEach(e -> residency.enter(residency.slot(id(layer, e))));
    if (here.equals(remaining)) return here;
    long begun = System.nanoTime();
    for (int e = remaining.nextSetBit(0); e >= 0; e = remaining.nextSetBit(e + 1)) {
      if (here.get(e)) continue;
      int slot = residency.admit(id(layer, e), Residency.Claim.WANTED);
      if (slot == Residency.NONE) break;
      send(layer, e, slot);
      residency.enter(slot);
      here.set(e);
    }
    stallNanos.add(System.nanoTime() - begun);
    return here;
  }

  /** Between steps: what is used more often than what lies there. */
  private void promote() {
    for (int id : residency.stepped()) {
      int slot = residency.admit(id, Residency.Claim.AHEAD);
      if (slot == Residency.NONE) return;
      var layer = byNumber(id / experts);
      send(layer, id % experts, slot);
      residency.met(slot);
      promotions.increment();
    }
  }

  private Layer byNumber(int number) {
    for (var layer : layers.values()) if (layer.number == number) return layer;
    throw new IllegalArgumentException("there is no layer " + number);
  }

  /** Behind all that was told: nobody reads any more what lay there. */
  private void send(Layer layer, int expert, int slot) {
    try {
      long at = slots.address() + slot * slotBytes;
      for (var part : layer.parts) {
        CudaWeights.send(part.tensor, expert * part.rows, part.rows, at + part.offset, staging());
        bytes.add(part.rows * part.layout.rowBytes());
      }
    } catch (RuntimeException | Error e) {
      residency.release(slot);
      throw e;
    }
  }

  private Staging staging() {
    if (staging.isEmpty()) {
      long longest = 1;
      for (var layer : layers.values()) {
        for (var part : layer.parts) longest = Math.max(longest, part.layout.rowBytes());
      }
      // One window is filled while the device reads the other.
      staging = Optional.of(new Staging(driver, 2 * Staging.WINDOW, longest));
    }
    return staging.get();
  }

  /** What all of it has cost so far; any thread may ask. */
  Traffic traffic() {
    return new Traffic(
        hits.sum(),
        0,
        misses.sum(),
        0,
        promotions.sum(),
        bytes.sum(),
        Duration.ofNanos(stallNanos.sum()),
        count,
        slotBytes);
  }

  @Override
  public void close() {
    staging.ifPresent(Staging::close);
    staging = Optional.empty();
    mail.ifPresent(driver::unpin);
    mail = Optional.empty();
    slots.close();
  }
}
