package weft.cuda;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** The kit without the build around it, for machines that have a GPU and little else. */
public final class CudaKit {
  private CudaKit() {}

  private interface Check {
    void run() throws Exception;
  }

  /**
   * Runs what weft-bench/cuda-kit runs, by the same properties; the status is 1 if any failed.
   *
   * @param arguments parts of names, of which each check that runs has one; none for all checks
   */
  public static void main(String[] arguments) throws Exception {
    var whole = new LinkedHashMap<String, Check>();
    var conformance = new CudaConformanceTest();
    whole.put("contracts", conformance::keepsItsStatesAndRefusesAsEveryBackendDoes);
    for (var name : CudaGoldenTest.PICTURED) {
      whole.put("picture " + name, () -> new CudaGoldenTest().givesTheLogitsOfAPicture(name));
    }
    whole.put("steps ahead", () -> new FollowTest().repliesAreThoseOfTheReference());
    var checks = new LinkedHashMap<String, Check>();
    for (var name : KitSettings.chosen(List.copyOf(whole.keySet()), whole.size())) {
      checks.put(name, whole.get(name));
    }
    // These take their share of what they go through by themselves.
    for (var family : CudaGoldenTest.families()) {
      var name = "golden " + family.getFileName();
      checks.put(name, () -> new CudaGoldenTest().givesTheLogitsAndTokens(family));
      var mesh = "mesh of two " + family.getFileName();
      checks.put(mesh, () -> new CudaGoldenTest().givesThemOnAMeshOfTwo(family));
    }
    var slots = new ExpertSlotsTest();
    checks.put("experts in slots", slots::logitsAreTheSameBitsAtAnyBudget);
    checks.put("rows with a slot a layer", slots::rowsOfTheKitPassWithASlotALayer);
    checks.put("conformance", conformance::computesWhatTheReferenceDoes);
    boolean isWell = true;
    for (var check : checks.entrySet()) {
      var parts = Stream.of(arguments);
      if (arguments.length > 0 && parts.noneMatch(check.getKey()::contains)) continue;
      isWell &= passes(check.getKey(), check.getValue());
    }
    System.out.println(isWell ? "all is well" : "not all is well");
    if (!isWell) System.exit(1);
  }

  /** A failure is told and the rest goes on: time on such a machine is short. */
  private static boolean passes(String name, Check check) {
    long start = System.nanoTime();
    try {
      check.run();
      System.out.printf("ok    %s, %.1f s%n", name, (System.nanoTime() - start) / 1e9);
      return true;
    } catch (TestAbortedException e) {
      System.out.println("left out " + name + ": " + e.getMessage());
      return true;
    } catch (Exception | AssertionError e) {
      System.out.println("FAILS " + name + ": " + e);
      return false;
    }
  }
}
