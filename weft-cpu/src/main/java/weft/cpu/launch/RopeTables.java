package weft.cpu.launch;

import java.util.HashMap;
import java.util.Map;
import weft.backend.MemorySource;
import weft.backend.Step;
import weft.cpu.kernel.attention.RopeAngles;
import weft.cpu.team.Room;
import weft.lir.Operand;

/** Sines and cosines of a step's rows, made once a step and shared by all layers; owns them. */
public final class RopeTables implements AutoCloseable {
  /** One table of frequencies over the rows of a step. */
  public static final class Table {
    private final float[] frequencies;
    private final Room cos = new Room(MemorySource.ARENA);
    private final Room sin = new Room(MemorySource.ARENA);

    private Table(float[] frequencies) {
      this.frequencies = frequencies;
    }

    public int pairs() {
      return frequencies.length;
    }

    public float cos(int row, int pair) {
      return cos.memory().getAtIndex(Rows2d.FLOAT, (long) row * frequencies.length + pair);
    }

    public float sin(int row, int pair) {
      return sin.memory().getAtIndex(Rows2d.FLOAT, (long) row * frequencies.length + pair);
    }

    /** The table as emitted code reads it, until a step of more rows moves it. */
    public RopeAngles angles(float scale) {
      return new RopeAngles(
          cos.memory(), sin.memory(), (long) pairs() * Float.BYTES, pairs(), scale);
    }

    private void fill(int[] positions) {
      long bytes = (long) positions.length * frequencies.length * Float.BYTES;
      cos.reserve(bytes);
      sin.reserve(bytes);
      int at = 0;
      for (int position : positions) {
        for (float frequency : frequencies) {
          double angle = position * frequency;
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

  public Table of(Operand frequencies, float[] values) {
    return tables.computeIfAbsent(frequencies, f -> new Table(values));
  }

  public void begin(Step step) {
    tables.values().forEach(table -> table.fill(step.positions()));
  }

  @Override
  public void close() {
    tables.values().forEach(Table::close);
  }
}
