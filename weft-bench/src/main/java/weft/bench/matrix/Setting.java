package weft.bench.matrix;

import java.util.Locale;
import weft.backend.KvType;
import weft.load.LoadOptions;
import weft.load.Profile;

/**
 * What is the same for all teams of a visit.
 *
 * @param isa as {@code --isa} names it
 * @param kv how keys and values are stored
 * @param seed of weights and texts
 */
public record Setting(String isa, KvType kv, long seed) {
  /** Room for the longest script. */
  private static final int CONTEXT = 2048;

  LoadOptions team(int threads) {
    return options().withBackend("cpu").withIsa(isa).withThreads(threads);
  }

  LoadOptions reference() {
    return options().withBackend("reference");
  }

  private LoadOptions options() {
    return LoadOptions.standard()
        .withContextLength(CONTEXT)
        .withProfile(Profile.standard().withKvType(kv));
  }

  /** As options of the command. */
  @Override
  public String toString() {
    return "--isa %s --kv %s --seed %d".formatted(isa, kv.name().toLowerCase(Locale.ROOT), seed);
  }
}
