package weft.backend;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A row in this process's memory; its peaks are looked for when they are asked for. */
public record HostRow(MemorySegment memory, int size) implements OutputRow {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

  @Override
  public float at(int element) {
    return memory.getAtIndex(FLOAT, element);
  }

  @Override
  public float[] peaks() {
    var peaks = new float[Math.ceilDiv(size, RUN)];
    for (int run = 0; run < peaks.length; run++) {
      float peak = Float.NEGATIVE_INFINITY;
      float finite = 0;
      for (int i = run * RUN; i < Math.min(size, (run + 1) * RUN); i++) {
        float value = at(i);
        peak = Math.max(peak, value);
        finite += value - value;
      }
      peaks[run] = peak + finite;
    }
    return peaks;
  }

  @Override
  public void copyTo(float[] to) {
    if (to.length < size) {
      throw new BackendException(
          "a row of " + size + " elements does not fit " + to.length + " elements");
    }
    MemorySegment.copy(memory, FLOAT, 0, to, 0, size);
  }
}
