package weft.cuda.interpret;

import java.util.List;
import java.util.Map;

/** A kernel as its text declares it. */
record ParsedKernel(
    String name,
    List<Parameter> parameters,
    Map<String, String> registers,
    List<SharedPiece> shared,
    Map<String, Integer> labels,
    List<Statement> statements,
    int mostThreads) {
  /** A parameter and its type, as {@code u64}. */
  record Parameter(String name, String type) {}

  /** Shared memory; bytes are −1 where the launch says how many. */
  record SharedPiece(String name, int bytes, int multiple) {}
}
