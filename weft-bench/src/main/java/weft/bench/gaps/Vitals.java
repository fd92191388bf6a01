package weft.bench.gaps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What this process and its machine have done since they began, to tell a slow step of ours from
 * one that was disturbed. All times are in milliseconds.
 *
 * @param collecting the garbage collector's
 * @param compiling the JVM's compilers', which run beside everything else
 * @param faults pages that were touched for the first time or read from disk
 * @param cpu what all threads of the process have run
 * @param others what other processes have run, and what the machine's host took for its own
 */
record Vitals(long collecting, long compiling, long faults, double cpu, double others) {
  private static final double TICK = 10;

  static Vitals now() {
    var beans = ManagementFactory.getGarbageCollectorMXBeans();
    long collecting = beans.stream().mapToLong(bean -> bean.getCollectionTime()).sum();
    long compiling = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();
    var own = read("/proc/self/stat");
    // The name of the process, in parentheses, may have blanks.
    var fields = own.substring(own.lastIndexOf(')') + 2).split(" ");
    long faults = Long.parseLong(fields[7]) + Long.parseLong(fields[9]);
    double cpu = TICK * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    var all = read("/proc/stat").lines().findFirst().orElseThrow().split(" +");
    double busy = 0;
    // user, nice, system, then idle and waiting, then interrupts and what the host took
    for (int i : new int[] {1, 2, 3, 6, 7, 8}) busy += TICK * Long.parseLong(all[i]);
    return new Vitals(collecting, compiling, faults, cpu, busy - cpu);
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Vitals since(Vitals before) {
    return new Vitals(
        collecting - before.collecting,
        compiling - before.compiling,
        faults - before.faults,
        cpu - before.cpu,
        others - before.others);
  }
}
