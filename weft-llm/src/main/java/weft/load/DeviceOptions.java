package weft.load;

import java.util.Optional;
import weft.backend.Backend;
import weft.backend.KvType;
import weft.quant.F32;

/** What is asked of a device for a checkpoint, of what was chosen for loading it. */
final class DeviceOptions {
  private DeviceOptions() {}

  static Backend.Options of(CheckpointView view, LoadOptions options, Optional<SealedFolder> kept) {
    var profile = options.profile();
    // A float32 checkpoint is there to be exact; any other has lost more than a half's rounding.
    boolean isExact = view.tensor("token_embd.weight").encoding() instanceof F32;
    var kv = profile.kvType().orElse(isExact ? KvType.F32 : KvType.F16);
    var chosen =
        Backend.Options.standard()
            .withIsa(options.isa())
            .withKvType(kv)
            .withForcedToReference(profile.forcedToReference());
    if (kept.isPresent()) chosen = chosen.withCode(new KeptCode(kept.get()));
    if (options.experts().isPresent()) chosen = chosen.withExperts(options.experts().get());
    var memory = options.stateMemory();
    if (memory.isPresent()) chosen = chosen.withMemoryBudget(memory.getAsLong());
    if (options.isAwaitingLaunches()) chosen = chosen.awaitingLaunches();
    var threads = options.threads().stream().boxed().findFirst().or(profile::threads);
    return threads.isPresent() ? chosen.withThreads(threads.get()) : chosen;
  }
}
