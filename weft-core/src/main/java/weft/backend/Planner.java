package weft.backend;

import java.util.List;
import weft.lir.Program;

/** Says what programs take of a device's own memory before any of it is taken. */
public interface Planner {
  /** The device's name, for people. */
  String device();

  /** The bytes of its memory. */
  long totalBytes();

  /** Those that nobody has taken. */
  long freeBytes();

  /** What programs over prepared weights would take; nothing of them is copied or compiled. */
  Demand demand(List<Program> programs, PreparedWeights weights);

  /**
   * @param weights bytes of all tensors that the programs name, as they lie on the device
   * @param workspace bytes beside all else: code, tables, what allocations are rounded up to
   * @param programs what each of them takes beside the weights
   */
  record Demand(long weights, long workspace, List<OfProgram> programs) {
    public Demand {
      programs = List.copyOf(programs);
    }
  }

  /**
   * @param bytes of its buffers
   * @param services which kernel serves each of its launches
   */
  record OfProgram(long bytes, List<Service> services) {
    public OfProgram {
      services = List.copyOf(services);
    }
  }
}
