package weft.load;

import java.util.Optional;
import weft.ir.Op;
import weft.ir.Value;

/**
 * What would do for a model that a device has no memory for: its experts in a budget there, or this
 * machine's CPU, with all of it or with experts in a budget.
 *
 * @param bytes that the model's file has, with the buffers and the text that are asked for
 * @param experts those of them that are experts
 * @param largest the bytes of the largest expert
 */
record HostRemedy(long bytes, long experts, long largest) {
  /** By what a slot is longer than its expert: three parts, from a block of the disk to a block. */
  static final long SLOT_SLACK = 3 * (8L << 10);

  static HostRemedy of(CompiledModel model, long programs, int tokens) {
    long experts = 0;
    long largest = 0;
    for (var value : model.plan().graph().values()) {
      if (!(value.op() instanceof Op.Experts mixture)) continue;
      long layer = 0;
      for (var stack : new Value[] {mixture.gate(), mixture.up(), mixture.down()}) {
        layer += bytes(model, stack);
      }
      experts += layer;
      largest = Math.max(largest, layer / mixture.scores().type().width());
    }
    long all = model.fileBytes() + programs + model.bytesFor(tokens);
    return new HostRemedy(all, experts, largest);
  }

  private static long bytes(CompiledModel model, Value weight) {
    if (!(weight.op() instanceof Op.Weight(var name, _))) return 0;
    var tensor = model.plan().weights().tensor(name);
    return tensor.rows() * tensor.rowBytes();
  }

  /** What to choose where so many bytes are available; empty where nothing would do. */
  Optional<String> within(long available) {
    if (bytes <= available) return Optional.of("--backend cpu");
    long room = available - (bytes - experts);
    // One expert at a time is enough.
    if (experts == 0 || room < largest + SLOT_SLACK) return Optional.empty();
    return Optional.of("--backend cpu --expert-memory " + size(room));
  }

  /**
   * A budget for experts on the device, where so many bytes would be free there without them; empty
   * where it would hold less than two, for they may take more there than in the file.
   */
  Optional<String> onDevice(long room) {
    if (experts == 0 || room < 2 * largest) return Optional.empty();
    return Optional.of("--expert-memory " + size(Math.min(room, experts)));
  }

  /** Down to what an option says shortly. */
  private static String size(long bytes) {
    return bytes >> 20 > 0 ? (bytes >> 20) + "M" : (bytes >> 10) + "K";
  }
}
