package weft.cpu;

import java.util.HashMap;
import java.util.Map;
import weft.backend.Step;
import weft.lir.Operand;

/** Sines and cosines of a step's rows, made once a step and shared by all layers. */
final class RopeTables {
  /** One table of frequencies over the rows of a step. */
  static final class Table {
    private final float[] frequencies;
    private float[] cos = new float[0];
    private float[] sin = new float[0];

    private Table(float[] frequencies) {
      this.frequencies = frequencies;
    }

    int pairs() {
      return frequencies.length;
    }

    float cos(int row, int pair) {
      return cos[row * frequencies.length + pair];
    }

    float sin(int row, int pair) {
      return sin[row * frequencies.length + pair];
    }

    private void fill(int[] positions) {
      int size = positions.length * frequencies.length;
      if (cos.length < size) {
        cos = new float[size];
        sin = new float[size];
      }
      for (int row = 0, at = 0; row < positions.length; row++) {
        for (float frequency : frequencies) {
          double angle = positions[row] * frequency;
          cos[at] = (float) Math.cos(angle);
          sin[at++] = (float) Math.sin(angle);
        }
      }
    }
  }

  private final Map<Operand, Table> tables = new HashMap<>();

  Table of(Operand frequencies, float[] values) {
    return tables.computeIfAbsent(frequencies, f -> new Table(values));
  }

  void begin(Step step) {
    tables.values().forEach(table -> table.fill(step.positions()));
  }
}
