package weft.cpu.kernel;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import weft.cpu.asm.CpuFeatures;
import weft.cpu.asm.GuardedMemory.Side;
import weft.cpu.asm.Isa;

/**
 * The process in which kernels may fault: it names each case before it runs it, so that the last
 * one named is the one that did. Arguments: a level, a seed, how many sizes of each kernel.
 */
final class GuardedRun {
  /** Goes before what the last case was. */
  static final String ABOUT_TO = "about to run ";

  static final String DONE = "done: ";

  private GuardedRun() {}

  public static void main(String[] arguments) {
    var isa = CpuFeatures.detect().require(Isa.named(arguments[0]).orElseThrow());
    long seed = Long.parseLong(arguments[1]);
    int sizes = Integer.parseInt(arguments[2]);
    int runs = 0;
    try (var library = KernelLibrary.open(isa)) {
      var cases = sample(GuardCases.all(library), new Random(seed), sizes);
      for (var one : cases) runs += run(one, seed);
      System.out.println(DONE + runs + " runs of " + cases.size() + " cases");
    }
  }

  /** So many sizes of each kernel, chosen by lot. */
  private static List<GuardCase> sample(List<GuardCase> all, Random random, int sizes) {
    var shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    var taken = new HashMap<String, Integer>();
    shuffled.removeIf(one -> taken.merge(one.kernel(), 1, Integer::sum) > sizes);
    return shuffled;
  }

  /** All data on both sides, which must come to the same. */
  private static int run(GuardCase one, long seed) {
    var digests = new HashMap<Hostile, Integer>();
    for (var side : Side.values()) {
      try (var bench = new GuardBench(side)) {
        System.out.println(ABOUT_TO + one + " flush at its " + side);
        one.layout().accept(bench);
        for (var data : Hostile.values()) {
          int digest = bench.run(data, seed);
          if (digests.merge(data, digest, (a, b) -> a.equals(b) ? a : a + 1) != digest) {
            throw new AssertionError("what lies beside the memory changes results of " + data);
          }
        }
      }
    }
    return Side.values().length * Hostile.values().length;
  }
}
