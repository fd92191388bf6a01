package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import weft.backend.Weights;

/** The packed rows of one weight of all experts, whether a file keeps them together or apart. */
public final class ExpertRows {
  private final Weights.Tensor weight;
  private final PackedRow kernel;
  private final int expertsAPart;
  private final int rows;
  private final int columns;

  public ExpertRows(Weights.Tensor weight) {
    this.weight = weight;
    this.kernel = PackedRow.of(weight.encoding());
    this.expertsAPart = weight.type().dim(0).fixed() / weight.parts().size();
    this.rows = weight.type().dim(1).fixed();
    this.columns = weight.columns();
  }

  /** The rows of one expert. */
  int rows() {
    return rows;
  }

  int columns() {
    return columns;
  }

  private MemorySegment part(int expert) {
    return weight.parts().get(expert / expertsAPart);
  }

  private long at(int expert, int row) {
    return ((long) (expert % expertsAPart) * rows + row) * weight.rowBytes();
  }

  float dot(int expert, int row, float[] x) {
    return kernel.dot(part(expert), at(expert, row), x, columns);
  }

  /** Each expert's packed rows, where they begin. */
  public List<MemorySegment> all() {
    return IntStream.range(0, weight.type().dim(0).fixed())
        .mapToObj(expert -> part(expert).asSlice(at(expert, 0)))
        .toList();
  }

  /** Unpacks {@code height} rows behind each other. */
  void unpack(int expert, int row, int height, float[] to) {
    for (int k = 0; k < height; k++) {
      kernel.decode(part(expert), at(expert, row + k), to, k * columns, columns);
    }
  }
}
