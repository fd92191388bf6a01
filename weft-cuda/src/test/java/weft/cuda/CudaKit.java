package weft.cuda;

import java.nio.file.Path;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** The kit without the build around it, for machines that have a GPU and little else. */
public final class CudaKit {
  private CudaKit() {}

  private interface Check {
    void run() throws Exception;
  }

  /** Runs what weft-bench/cuda-kit runs, by the same properties; the status is 1 if any failed. */
  public static void main(String[] arguments) throws Exception {
    var conformance = new CudaConformanceTest();
    boolean isWell = passes("conformance", conformance::computesWhatTheReferenceDoes);
    isWell &= passes("contracts", conformance::keepsItsStatesAndRefusesAsEveryBackendDoes);
    List<Path> families = CudaGoldenTest.families();
    for (var family : families) {
      var name = "golden " + family.getFileName();
      isWell &= passes(name, () -> new CudaGoldenTest().givesTheLogitsAndTokens(family));
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
