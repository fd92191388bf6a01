package weft.cpu.residency;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import weft.backend.BackendException;
import weft.backend.MemorySource;
import weft.backend.TensorReader;
import weft.experts.ExpertMemory;
import weft.experts.Residency;
import weft.experts.RoutingListener;
import weft.experts.Traffic;

/**
 * The experts of a model in as many slots as a budget allows: a {@link Residency} decides which,
 * this reads them. Owns the slots, the reader and the threads that read; safe for all threads, but
 * a layer has one {@link Visit} at a time.
 *
 * <p>A read that fails is the failure of the step that waits for it. One that nobody waits for is
 * tried again when somebody does.
 */
public final class ExpertCache implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrival = lock.newCondition();
  private final Arena arena = Arena.ofShared();
  private final TensorReader reader;
  private final ExpertMemory memory;
  private final List<ExpertLayer> layers;
  private final Map<String, Visit> visits = new HashMap<>();
  private final int experts;
  private final long slotBytes;
  private final List<ExpertSlot> slots = new ArrayList<>();
  private final Residency residency;
  private final ExpertReaders readers;
  private final Map<Integer, RuntimeException> failures = new HashMap<>();
  private int lastLayer = -1;
  private long hits;
  private long late;
  private long misses;
  private long guessed;
  private long promotions;
  private long bytes;
  private long stallNanos;

  private ExpertCache(
      List<ExpertLayer> layers, TensorReader reader, ExpertMemory memory, MemorySource source) {
    this.layers = List.copyOf(layers);
    this.reader = reader;
    this.memory = memory;
    this.experts = layers.stream().mapToInt(ExpertLayer::experts).max().orElseThrow();
    this.slotBytes =
        layers.stream().mapToLong(each -> ExpertSlot.bytes(each.parts(0), reader)).max().orElse(1);
    for (int i = 0; i < layers.size(); i++) visits.put(layers.get(i).name(), new Visit(i));
    int count = memory.budget().slots(layers.size(), experts, slotBytes);
    if (count == 0) {
      throw new BackendException(
          "%s holds no expert of this model, which takes %d bytes; give --expert-memory more"
              .formatted(memory.budget(), slotBytes));
    }
    this.residency = new Residency(count, layers.size(), experts);
    carve(count, source);
    this.readers = new ExpertReaders(lock, this::read);
  }

  /**
   * A cache for these layers, which takes the reader over.
   *
   * @param source where the slots come from; a page of them is resident once it is read to
   */
  public static ExpertCache open(
      List<ExpertLayer> layers, TensorReader reader, ExpertMemory memory, MemorySource source) {
    try {
      return new ExpertCache(layers, reader, memory, source);
    } catch (RuntimeException | Error e) {
      reader.close();
      throw e;
    }
  }

  private void carve(int count, MemorySource source) {
    long alignment = reader.alignment();
    try {
      var all = source.allocate(count * slotBytes + alignment, arena);
      long at = Math.ceilDiv(all.address(), alignment) * alignment - all.address();
      int parts = layers.getFirst().weights().size();
      for (int i = 0; i < count; i++) {
        slots.add(new ExpertSlot(all.asSlice(at + i * slotBytes, slotBytes), parts));
      }
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new BackendException(
          "there is no memory for %d experts of %d bytes; give --expert-memory less"
              .formatted(count, slotBytes),
          e);
    }
  }

  /** The visits of a layer by the name of its first weight; empty for a layer that is not here. */
  public Optional<Visit> visits(String layer) {
    return Optional.ofNullable(visits.get(layer));
  }

  /** Whether steps gain by guessing: not where every expert has a slot. */
  public boolean wantsGuesses() {
    return !residency.hasRoomForAll();
  }

  /** What all of it has cost so far. */
  public Traffic traffic() {
    lock.lock();
    try {
      return new Traffic(
          hits,
          late,
          misses,
          guessed,
          promotions,
          bytes,
          Duration.ofNanos(stallNanos),
          slots.size(),
          slotBytes);
    } finally {
      lock.unlock();
    }
  }

  /** One step's way through a layer: round by round those experts that are there. */
  public final class Visit {
    private final int layer;
    private final BitSet remaining = new BitSet();
    private final BitSet here = new BitSet();

    /** What was read for this layer before it chose, and how many ranks of a guess are read. */
    private final BitSet guesses = new BitSet();

    private int ranks = 1;

    private Visit(int layer) {
      this.layer = layer;
    }

    /** Rows of a step chose experts: so many of them each. What an earlier step left is let go. */
    public void begin(int[] rows) {
      lock.lock();
      try {
        leave();
        remaining.clear();
        if (layer <= lastLayer) stepOver();
        lastLayer = layer;
        for (int e = 0; e < rows.length; e++) count(e, rows[e]);
        judgeGuesses();
        dropUnwanted();
      } finally {
        lock.unlock();
      }
      if (memory.listener() != RoutingListener.NONE) {
        memory.listener().routed(layer, remaining.stream().toArray());
      }
    }

    private void count(int expert, int rows) {
      int id = residency.expert(layer, expert);
      int slot = residency.slot(id);
      if (slot != Residency.NONE) residency.met(slot);
      if (rows == 0) return;
      remaining.set(expert);
      failures.remove(id);
      residency.used(id, rows);
      if (slot == Residency.NONE) misses++;
      else if (slots.get(slot).isComplete()) hits++;
      else late++;
    }

    /** One rank more where most of what was read came true, one less where most did not. */
    private void judgeGuesses() {
      if (guesses.isEmpty()) return;
      int all = guesses.cardinality();
      guesses.and(remaining);
      ranks = Math.max(1, 2 * guesses.cardinality() >= all ? ranks + 1 : ranks - 1);
      guesses.clear();
    }

    /** Guesses that did not come true need not be read any more; those that did are urgent now. */
    private void dropUnwanted() {
      for (var task : readers.takeBack(task -> layerOf(task.slot()) == layer)) {
        int expert = residency.holder(task.slot()) % experts;
        if (remaining.get(expert)) {
          readers.want(task.slot(), task.to());
        } else {
          residency.leave(task.slot());
          residency.release(task.slot());
        }
      }
    }

    /**
     * The next round: waits until some of the experts are there, which stay until the round after
     * it. Whether these were the last.
     */
    public boolean next() {
      lock.lock();
      try {
        leave();
        while (!remaining.isEmpty() && here.isEmpty()) {
          enterComplete();
          wantMissing();
          if (here.isEmpty()) await();
        }
        return remaining.isEmpty();
      } finally {
        lock.unlock();
      }
    }

    private void enterComplete() {
      for (int e = remaining.nextSetBit(0); e >= 0; e = remaining.nextSetBit(e + 1)) {
        int slot = residency.slot(residency.expert(layer, e));
        if (slot == Residency.NONE || !slots.get(slot).isComplete()) continue;
        residency.enter(slot);
        here.set(e);
      }
      remaining.andNot(here);
    }

    private void wantMissing() {
      for (int e = remaining.nextSetBit(0); e >= 0; e = remaining.nextSetBit(e + 1)) {
        int id = residency.expert(layer, e);
        var failure = failures.remove(id);
        if (failure != null) {
          remaining.clear();
          throw new BackendException(
              "expert %d of %s could not be read: %s"
                  .formatted(e, layers.get(layer).name(), failure.getMessage()),
              failure);
        }
        if (residency.slot(id) != Residency.NONE) continue;
        int slot = admit(id, Residency.Claim.WANTED);
        // Every slot is in use: by this round, or by reads that will end.
        if (slot == Residency.NONE) return;
        readers.want(slot, slots.get(slot).parts());
      }
    }

    private void await() {
      long begun = System.nanoTime();
      arrival.awaitUninterruptibly();
      stallNanos += System.nanoTime() - begun;
    }

    /** The first expert of this round from one on; -1 where there is none. */
    public int next(int from) {
      return here.nextSetBit(from);
    }

    /** The first expert from one on that a round behind this one is for; -1 where there is none. */
    public int waiting(int from) {
      return remaining.nextSetBit(from);
    }

    /** A weight of an expert of this round. */
    public MemorySegment weight(int expert, int part) {
      return slots.get(residency.slot(residency.expert(layer, expert))).part(part);
    }

    /** Lets go of the last round's experts: a step is done with the layer. */
    public void end() {
      lock.lock();
      leave();
      lock.unlock();
    }

    private void leave() {
      for (int e = here.nextSetBit(0); e >= 0; e = here.nextSetBit(e + 1)) {
        residency.leave(residency.slot(residency.expert(layer, e)));
      }
      here.clear();
    }

    /**
     * Reads experts that the layer after this one may choose.
     *
     * @param ranked the likeliest of each row, then the next of each, and so on
     */
    public void guess(int[][] ranked) {
      if (layer + 1 == layers.size()) return;
      lock.lock();
      try {
        visits.get(layers.get(layer + 1).name()).expect(ranked);
      } finally {
        lock.unlock();
      }
    }

    private void expect(int[][] ranked) {
      ranks = Math.min(ranks, ranked.length);
      for (int rank = 0; rank < ranks; rank++) {
        for (int e : ranked[rank]) {
          int id = residency.expert(layer, e);
          int slot = residency.slot(id);
          if (slot != Residency.NONE) {
            residency.expect(slot);
          } else if (readAhead(id)) {
            guesses.set(e);
            guessed++;
          }
        }
      }
    }
  }

  private int layerOf(int slot) {
    return residency.holder(slot) / experts;
  }

  private void stepOver() {
    for (int id : residency.stepped()) if (readAhead(id)) promotions++;
  }

  private boolean readAhead(int id) {
    int slot = admit(id, Residency.Claim.AHEAD);
    if (slot == Residency.NONE) return false;
    readers.readAhead(slot, slots.get(slot).parts());
    return true;
  }

  /** A slot for an expert, which stays its own until it is read. */
  private int admit(int id, Residency.Claim claim) {
    int slot = residency.admit(id, claim);
    if (slot == Residency.NONE) return slot;
    slots.get(slot).expect(layers.get(id / experts).parts(id % experts));
    residency.enter(slot);
    return slot;
  }

  /** By a reader's thread. */
  private void read(ExpertReaders.Task task) {
    var slot = slots.get(task.slot());
    long moved = 0;
    Optional<RuntimeException> failure = Optional.empty();
    try {
      for (int part = task.from(); part < task.to(); part++) moved += slot.read(part, reader);
    } catch (RuntimeException e) {
      failure = Optional.of(e);
    } catch (Error e) { // a thread that dies would leave a step waiting for ever
      failure = Optional.of(new BackendException("reading failed: " + e, e));
    }
    lock.lock();
    try {
      bytes += moved;
      int id = residency.holder(task.slot());
      failure.ifPresent(e -> failures.put(id, e));
      if (slot.arrived(task.to() - task.from())) {
        residency.leave(task.slot());
        if (failures.containsKey(id)) residency.release(task.slot());
        arrival.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the reads that have begun. No step may be running. */
  @Override
  public void close() {
    readers.close();
    reader.close();
    if (arena.scope().isAlive()) arena.close();
  }
}
