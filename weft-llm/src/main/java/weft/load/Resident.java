package weft.load;

import weft.backend.Device;
import weft.format.Checkpoint;
import weft.format.Loading;

/** How a checkpoint's tensors are had: mapped, kept in memory, copied or expanded. */
final class Resident {
  private Resident() {}

  /** The checkpoint in the memory that was asked for; the mapped one is closed if it is another. */
  static Checkpoint of(Checkpoint mapped, Device device, LoadOptions options) {
    var way = options.loading().or(options.profile()::loading).orElse(Loading.MAP);
    if (options.experts().isPresent()
        && (way != Loading.MAP || options.dequantized().isPresent())) {
      throw new LoadException(
          "a budget for experts leaves the others in the file; it goes with --load map alone, and not"
              + " with --dequantize");
    }
    if (options.dequantized().isPresent()) return Expanding.of(mapped, device, options);
    return switch (way) {
      case MAP -> mapped;
      case LOCK -> {
        options.progress().accept("keeping " + mapped.path().getFileName() + " resident");
        mapped.memory().forEach(device::keepResident);
        yield mapped;
      }
      case COPY -> {
        var copy =
            Checkpoint.copy(
                mapped.path(), options.config(), device.memory()::allocate, options.progress());
        mapped.close();
        yield copy;
      }
    };
  }
}
