package weft.conformance.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import weft.backend.BackendException;
import weft.backend.Device;
import weft.backend.HostWeights;
import weft.backend.PreparedWeights;
import weft.backend.Weights;

/**
 * Tensors in the device's memory, copied there when a program first names them; owns the copies.
 */
final class ForeignWeights implements PreparedWeights {
  private final Arena arena = Arena.ofShared();
  private final Device owner;
  private final Commands commands;
  private final HostWeights copies;

  ForeignWeights(Weights weights, Device owner, Commands commands) {
    this.owner = owner;
    this.commands = commands;
    this.copies =
        new HostWeights(name -> copy(weights.tensor(name)), ForeignDevice::allocate, owner);
  }

  static ForeignWeights of(Device owner, PreparedWeights prepared) {
    if (prepared instanceof ForeignWeights own && own.owner == owner) return own;
    throw new BackendException("weights that another device has prepared");
  }

  /** As the device's kernels read them; on the device's thread. */
  HostWeights copies() {
    return copies;
  }

  private Weights.Tensor copy(Weights.Tensor tensor) {
    tensor.requireReadable();
    var parts = new ArrayList<MemorySegment>();
    for (var part : tensor.parts()) parts.add(arena.allocate(part.byteSize()).copyFrom(part));
    return new Weights.Tensor(tensor.name(), tensor.type(), tensor.encoding(), parts);
  }

  @Override
  public void close() {
    commands.ask(
        () -> {
          copies.close();
          arena.close();
          return arena;
        });
  }
}
