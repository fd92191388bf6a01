package weft.conformance.foreign;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import weft.backend.HostPages;
import weft.backend.HostState;
import weft.backend.KvLayout;
import weft.backend.SequenceState;
import weft.backend.State;
import weft.ir.Slot;

/**
 * A sequence as the device is told of it for one step: its position when the step was fed, and the
 * numbers of its tables and blocks. The host's state may have gone on meanwhile.
 */
final class ForeignSequence implements State, HostState {
  private record Table(int number, KvLayout layout) {}

  private final ForeignMemory memory;
  private final int position;
  private final int pending;
  private final Map<Slot, Table> tables = new HashMap<>();
  private final Map<Slot, Integer> recurrent = new HashMap<>();
  private final Map<Slot, Integer> kept = new HashMap<>();

  ForeignSequence(SequenceState state, ForeignMemory memory) {
    this.memory = memory;
    this.position = state.position();
    this.pending = state.pending();
    for (var slot : state.slots()) {
      switch (slot) {
        case Slot.KeyValue kv -> {
          int number = ((ForeignMemory.Table) state.table(kv)).number();
          tables.put(kv, new Table(number, state.layout(kv)));
        }
        case Slot.Conv _, Slot.Delta _ -> {
          recurrent.put(slot, ((ForeignMemory.Handle) state.recurrent(slot)).number());
          state
              .kept(slot)
              .ifPresent(block -> kept.put(slot, ((ForeignMemory.Handle) block).number()));
        }
      }
    }
  }

  @Override
  public int position() {
    return position;
  }

  @Override
  public HostPages keyValues(Slot.KeyValue slot) {
    return new Pages(tables.get(slot), memory);
  }

  @Override
  public MemorySegment recurrent(Slot slot) {
    return memory.memory(recurrent.get(slot));
  }

  @Override
  public MemorySegment kept(Slot slot) {
    return kept.containsKey(slot) ? memory.memory(kept.get(slot)) : MemorySegment.NULL;
  }

  @Override
  public int pending() {
    return pending;
  }

  private record Pages(Table table, ForeignMemory memory) implements HostPages {
    @Override
    public KvLayout layout() {
      return table.layout;
    }

    @Override
    public MemorySegment page(int position) {
      return memory.page(table.number, position / KvLayout.POSITIONS);
    }

    @Override
    public MemorySegment addresses() {
      throw new AssertionError("no emitted code runs here");
    }
  }

  private static AssertionError notHere() {
    return new AssertionError("states change on the host's side");
  }

  @Override
  public int rewind(int to) {
    throw notHere();
  }

  @Override
  public int nearest(int to) {
    throw notHere();
  }

  @Override
  public void slim() {
    throw notHere();
  }

  @Override
  public Snapshots snapshots() {
    throw notHere();
  }

  @Override
  public State fork(int to) {
    throw notHere();
  }

  @Override
  public long needs(int rows, int tentative) {
    throw notHere();
  }

  @Override
  public long bytes() {
    throw notHere();
  }

  @Override
  public void close() {}
}
