package weft.cpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import weft.backend.Step;
import weft.cpu.kernel.RopeAngles;
import weft.lir.Operand;

/** Sines and cosines of a step's rows, made once a step and shared by all layers; owns them. */
final class RopeTables implements AutoCloseable {
  private static final long CACHE_LINE = 64;

  /** One table of frequencies over the rows of a step. */
  static final class Table {
    private final float[] frequencies;
    private Arena arena = Arena.ofShared();
    private MemorySegment cos = MemorySegment.NULL;
    private MemorySegment sin = MemorySegment.NULL;

    private Table(float[] frequencies) {
      this.frequencies = frequencies;
    }

    int pairs() {
      return frequencies.length;
    }

    float cos(int row, int pair) {
      return cos.getAtIndex(Rows2d.FLOAT, (long) row * frequencies.length + pair);
    }

    float sin(int row, int pair) {
      return sin.getAtIndex(Rows2d.FLOAT, (long) row * frequencies.length + pair);
    }

    /** The table as emitted code reads it, until a step of more rows moves it. */
    RopeAngles angles(float scale) {
      return new RopeAngles(cos, sin, (long) pairs() * Float.BYTES, pairs(), scale);
    }

    private void fill(int[] positions) {
      reserve((long) positions.length * frequencies.length * Float.BYTES);
      int at = 0;
      for (int position : positions) {
        for (float frequency : frequencies) {
          double angle = position * frequency;
          cos.setAtIndex(Rows2d.FLOAT, at, (float) Math.cos(angle));
          sin.setAtIndex(Rows2d.FLOAT, at++, (float) Math.sin(angle));
        }
      }
    }

    private void reserve(long bytes) {
      if (cos.byteSize() >= bytes) return;
      arena.close();
      arena = Arena.ofShared();
      cos = arena.allocate(bytes, CACHE_LINE);
      sin = arena.allocate(bytes, CACHE_LINE);
    }
  }

  private final Map<Operand, Table> tables = new HashMap<>();

  Table of(Operand frequencies, float[] values) {
    return tables.computeIfAbsent(frequencies, f -> new Table(values));
  }

  void begin(Step step) {
    tables.values().forEach(table -> table.fill(step.positions()));
  }

  @Override
  public void close() {
    tables.values().forEach(table -> table.arena.close());
  }
}
