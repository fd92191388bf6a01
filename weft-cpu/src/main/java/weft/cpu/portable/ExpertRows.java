package weft.cpu.portable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.backend.Weights;
import weft.cpu.launch.Mixture;

/** The packed rows of one weight of all experts. */
final class ExpertRows {
  private final List<MemorySegment> experts;
  private final PackedRow packed;
  private final long rowBytes;
  private final int rows;
  private final int columns;

  ExpertRows(Weights.Tensor weight) {
    this.experts = Mixture.experts(weight);
    this.packed = PackedRow.of(weight.encoding());
    this.rowBytes = weight.rowBytes();
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

  float dot(int expert, int row, float[] x) {
    return packed.dot(experts.get(expert), row * rowBytes, x, columns);
  }

  /** Unpacks {@code height} rows behind each other. */
  void unpack(int expert, int row, int height, float[] to) {
    for (int k = 0; k < height; k++) {
      packed.decode(experts.get(expert), (row + k) * rowBytes, to, k * columns, columns);
    }
  }
}
