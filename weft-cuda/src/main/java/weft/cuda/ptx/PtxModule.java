package weft.cuda.ptx;

import java.util.Collection;
import java.util.stream.Collectors;

/** Functions joined under one header, as a driver takes them. */
public final class PtxModule {
  /** Compute capability 8.0, in a version that drivers of CUDA 11.4 and later read. */
  private static final String BASELINE =
      """
      .version 7.4
      .target sm_80
      .address_size 64
      """;

  /** Compute capability 9.0 with what only it has. */
  private static final String HOPPER =
      """
      .version 8.0
      .target sm_90a
      .address_size 64
      """;

  /** Compute capability 9.0 and more, with what all of them have. */
  private static final String SINCE_HOPPER = HOPPER.replace("sm_90a", "sm_90");

  private PtxModule() {}

  /** For every device of compute capability 8.0 and more. */
  public static String text(Collection<PtxFunction> functions) {
    return joined(BASELINE, functions)
        .lines()
        .filter(line -> !isOfOrder(line))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** What {@link OrderCode} writes. */
  private static boolean isOfOrder(String line) {
    return line.contains("griddepcontrol.") || line.contains("cp.async.bulk.prefetch.");
  }

  /** For devices of compute capability 9.0, which have what {@link HopperCode} writes. */
  public static String hopper(Collection<PtxFunction> functions) {
    return joined(HOPPER, functions);
  }

  /** For devices of compute capability 9.0 and more, without {@link HopperCode}. */
  public static String sinceHopper(Collection<PtxFunction> functions) {
    return joined(SINCE_HOPPER, functions);
  }

  private static String joined(String header, Collection<PtxFunction> functions) {
    return functions.stream().map(PtxFunction::text).collect(Collectors.joining("\n", header, ""));
  }
}
