package weft.cpu.launch;

import java.util.HashMap;
import java.util.Map;
import weft.backend.MemorySource;
import weft.backend.ReferenceKernels;
import weft.backend.Step;
import weft.cpu.kernel.attention.RopeAngles;
import weft.cpu.team.Room;
import weft.lir.Operand;

/** Sines and cosines of a step's rows, made once a step and shared by all layers; owns them. */
public final class RopeTables implements AutoCloseable {
  /** One table of frequencies, for each of a row's positions, over the rows of a step. */
  public static final class Table {
    private final float[] frequencies;
    private final int sections;
    private final Room cos = new Room(MemorySource.ARENA);
    private final Room sin = new Room(MemorySource.ARENA);

    private Table(float[] frequencies, int sections) {
      this.frequencies = frequencies;
      this.sections = sections;
    }

    public int pairs() {
      return frequencies.length / sections;
    }

    public float cos(int row, int pair) {
      return cos.memory().getAtIndex(Rows2d.FLOAT, (long) row * pairs() + pair);
    }

    public float sin(int row, int pair) {
      return sin.memory().getAtIndex(Rows2d.FLOAT, (long) row * pairs() + pair);
    }

    /** The table as emitted code reads it, until a step of more rows moves it. */
    public RopeAngles angles(float scale) {
      return new RopeAngles(
          cos.memory(), sin.memory(), (long) pairs() * Float.BYTES, pairs(), scale);
    }

    private void fill(int[] positions) {
      long bytes = (long) positions.length / sections * pairs() * Float.BYTES;
      cos.reserve(bytes);
      sin.reserve(bytes);
      int at = 0;
      for (int from = 0; from < positions.length; from += sections) {
        for (int pair = 0; pair < pairs(); pair++) {
          float angle = ReferenceKernels.angle(frequencies, pair, positions, from, sections);
          cos.memory().setAtIndex(Rows2d.FLOAT, at, (float) Math.cos(angle));
          sin.memory().setAtIndex(Rows2d.FLOAT, at++, (float) Math.sin(angle));
        }
      }
    }

    private void close() {
      cos.close();
      sin.close();
    }
  }

  private final Map<Operand, Table> tables = new HashMap<>();

  /** The table of these frequencies for so many positions a row. */
  public Table of(Operand frequencies, float[] values, int sections) {
    return tables.computeIfAbsent(frequencies, f -> new Table(values, sections));
  }

  public void begin(Step step) {
    tables.values().forEach(table -> table.fill(step.positions()));
  }

  @Override
  public void close() {
    tables.values().forEach(Table::close);
  }
}
