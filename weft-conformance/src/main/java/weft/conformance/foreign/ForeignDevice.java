package weft.conformance.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.backend.Backend;
import weft.backend.Confined;
import weft.backend.Device;
import weft.backend.Executable;
import weft.backend.KvType;
import weft.backend.PreparedWeights;
import weft.backend.SequenceState;
import weft.backend.State;
import weft.backend.StatePool;
import weft.backend.Weights;
import weft.ir.Op;
import weft.ir.Slot;
import weft.ir.Value;
import weft.lir.Program;
import weft.lir.Stored;
import weft.lir.Target;

/**
 * The device, open: it computes by the reference's definitions, in its own memory. Its alignment,
 * its sizes and what it takes are nobody else's. Owns its thread and its memory.
 */
final class ForeignDevice implements Device, Target {
  private static final int ALIGNMENT = 256;

  private final Commands commands = new Commands();
  private final ForeignMemory memory = new ForeignMemory(commands);
  private final KvType kvType;
  private final StatePool pool;
  private final Confined use = new Confined("the device");

  ForeignDevice(Backend.Options options) {
    this.kvType = options.kvType();
    this.pool = new StatePool(memory, options.memoryBudget().orElse(StatePool.UNBOUNDED));
  }

  static MemorySegment allocate(long bytes, Arena arena) {
    return arena.allocate(bytes, ALIGNMENT);
  }

  @Override
  public Target target() {
    return this;
  }

  @Override
  public String name() {
    return "foreign";
  }

  /** What is fused only where no weight is packed. */
  @Override
  public boolean takes(Op op, Stored weights) {
    return !(op instanceof Op.Composite)
        || op.inputs().stream().noneMatch(input -> isPacked(input, weights));
  }

  private static boolean isPacked(Value value, Stored weights) {
    return weights.of(value).filter(encoding -> encoding.blockValues() > 1).isPresent();
  }

  @Override
  public int alignment() {
    return ALIGNMENT;
  }

  @Override
  public int mostRows() {
    return 24;
  }

  @Override
  public int mostWanted() {
    return 5;
  }

  @Override
  public State state(List<Slot> slots) {
    return new SequenceState(slots, kvType, pool);
  }

  @Override
  public StatePool pool() {
    return pool;
  }

  @Override
  public PreparedWeights prepare(Weights weights) {
    return new ForeignWeights(weights, this, commands);
  }

  @Override
  public Executable load(Program program, PreparedWeights weights) {
    return new ForeignExecutable(program, ForeignWeights.of(this, weights), pool, memory, commands);
  }

  @Override
  public void close() {
    if (!use.close()) return;
    pool.close();
    commands.ask(
        () -> {
          memory.close();
          return memory;
        });
    commands.close();
  }
}
