package weft.load;

import weft.backend.Device;
import weft.format.Checkpoint;

/** Decodes a checkpoint's weights when it is loaded, and says first what that takes. */
final class Expanding {
  private Expanding() {}

  /** The expanded checkpoint; the packed one is closed. */
  static Checkpoint of(Checkpoint packed, Device device, LoadOptions options) {
    var to = options.dequantized().orElseThrow();
    long bytes = packed.expandedBytes(to);
    options
        .warnings()
        .accept(
            "weights are expanded to %s: %d MiB of memory, where the packed ones are %d MiB"
                .formatted(to.name(), bytes >> 20, packed.fileBytes() >> 20));
    var available = MachineMemory.now().available();
    if (available.isPresent() && bytes > available.getAsLong()) {
      throw new LoadException(
          "weights in %s take %d MiB, but %d MiB are available; leave them packed"
              .formatted(to.name(), bytes >> 20, available.getAsLong() >> 20));
    }
    var expanded = packed.expanded(to, device.memory()::allocate, options.progress());
    packed.close();
    return expanded;
  }
}
