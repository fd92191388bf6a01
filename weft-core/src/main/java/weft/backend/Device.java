package weft.backend;

import java.util.List;
import weft.ir.Slot;
import weft.lir.Program;
import weft.lir.Target;

/** An open device: owns its threads and memory until it is closed. */
public interface Device extends AutoCloseable {
  Target target();

  /** One sequence's state, empty. The caller closes it. */
  State state(List<Slot> slots);

  /** Makes a program ready to run over these weights. The caller closes it. */
  Executable load(Program program, Weights weights);

  @Override
  void close();
}
