package weft.cpu.launch;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import weft.backend.ReferenceKernels;
import weft.backend.Step;
import weft.cpu.kernel.attention.RopeAngles;
import weft.lir.Operand;

/** Sines and cosines of a step's rows, made once a step and shared by all layers; owns them. */
public final class RopeTables implements AutoCloseable {
  /** One table of frequencies, for each of a row's positions, over the rows of a step. */
  public static final class Table {
    private final float[] frequencies;
    private final int sections;
    private final MemorySegment cos;
    private final MemorySegment sin;

    private Table(float[] frequencies, int sections, int mostRows, Arena arena) {
      this.frequencies = frequencies;
      this.sections = sections;
      long bytes = (long) mostRows * pairs() * Float.BYTES;
      this.cos = arena.allocate(bytes, CACHE_LINE);
      this.sin = arena.allocate(bytes, CACHE_LINE);
    }

    public int pairs() {
      return frequencies.length / sections;
    }

    public float cos(int row, int pair) {
      return cos.getAtIndex(Rows2d.FLOAT, (long) row * pairs() + pair);
    }

    public float sin(int row, int pair) {
      return sin.getAtIndex(Rows2d.FLOAT, (long) row * pairs() + pair);
    }

    /** The table as emitted code reads it; it stays where it is. */
    public RopeAngles angles(float scale) {
      return new RopeAngles(cos, sin, (long) pairs() * Float.BYTES, pairs(), scale);
    }

    private void fill(int[] positions) {
      int at = 0;
      for (int from = 0; from < positions.length; from += sections) {
        for (int pair = 0; pair < pairs(); pair++) {
          float angle = ReferenceKernels.angle(frequencies, pair, positions, from, sections);
          cos.setAtIndex(Rows2d.FLOAT, at, (float) Math.cos(angle));
          sin.setAtIndex(Rows2d.FLOAT, at++, (float) Math.sin(angle));
        }
      }
    }
  }

  private static final long CACHE_LINE = 64;

  private final Arena arena = Arena.ofShared();
  private final Map<Operand, Table> tables = new HashMap<>();
  private final int mostRows;

  public RopeTables(int mostRows) {
    this.mostRows = mostRows;
  }

  /** The table of these frequencies for so many positions a row. */
  public Table of(Operand frequencies, float[] values, int sections) {
    return tables.computeIfAbsent(frequencies, f -> new Table(values, sections, mostRows, arena));
  }

  public void begin(Step step) {
    tables.values().forEach(table -> table.fill(step.positions()));
  }

  @Override
  public void close() {
    arena.close();
  }
}
