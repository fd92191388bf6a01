package weft.cpu.launch;

import weft.ir.Op;

/** How queries and keys turn: the step's angles, which elements pair, and a factor. */
public record Turn(RopeTables.Table table, Op.Pairing pairing, float scale) {
  /** Turns one head of a row where it lies. */
  public void apply(float[] head, int at, int row) {
    int pairs = table.pairs();
    for (int i = 0; i < pairs; i++) {
      int a = at + (pairing == Op.Pairing.HALVES ? i : 2 * i);
      int b = at + (pairing == Op.Pairing.HALVES ? i + pairs : 2 * i + 1);
      float cos = table.cos(row, i) * scale;
      float sin = table.sin(row, i) * scale;
      float before = head[a];
      head[a] = before * cos - head[b] * sin;
      head[b] = head[b] * cos + before * sin;
    }
  }
}
