package weft.cpu.portable;

import static jdk.incubator.vector.VectorOperators.ADD;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * Row kernels with the Vector API; two accumulators each, since one fused multiply-add waits on
 * itself.
 */
public final class VectorRows {
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int BLOCK = 32;

  private VectorRows() {}

  private static float half(MemorySegment row, long at) {
    return Float.float16ToFloat(row.get(SHORT, at));
  }

  record Floats() implements PackedRow {
    @Override
    public float dot(MemorySegment row, long at, float[] x, int n) {
      var a = FloatVector.zero(Lanes.FLOATS);
      var b = FloatVector.zero(Lanes.FLOATS);
      int i = 0;
      for (; i + 2 * Lanes.COUNT <= n; i += 2 * Lanes.COUNT) {
        a = Lanes.floats(row, at + 4L * i).fma(Lanes.floats(x, i), a);
        b = Lanes.floats(row, at + 4L * (i + Lanes.COUNT)).fma(Lanes.floats(x, i + Lanes.COUNT), b);
      }
      float sum = a.add(b).reduceLanes(ADD);
      for (; i < n; i++) sum += row.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at + 4L * i) * x[i];
      return sum;
    }

    @Override
    public void decode(MemorySegment row, long at, float[] to, int toAt, int n) {
      MemorySegment.copy(row, ValueLayout.JAVA_FLOAT_UNALIGNED, at, to, toAt, n);
    }
  }

  record Halves() implements PackedRow {
    @Override
    public float dot(MemorySegment row, long at, float[] x, int n) {
      var a = FloatVector.zero(Lanes.FLOATS);
      int i = 0;
      for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
        a = Lanes.halves(row, at + 2L * i).fma(Lanes.floats(x, i), a);
      }
      float sum = a.reduceLanes(ADD);
      for (; i < n; i++) sum += half(row, at + 2L * i) * x[i];
      return sum;
    }

    @Override
    public void decode(MemorySegment row, long at, float[] to, int toAt, int n) {
      int i = 0;
      for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
        Lanes.halves(row, at + 2L * i).intoArray(to, toAt + i);
      }
      for (; i < n; i++) to[toAt + i] = half(row, at + 2L * i);
    }
  }

  record BFloats() implements PackedRow {
    @Override
    public float dot(MemorySegment row, long at, float[] x, int n) {
      var a = FloatVector.zero(Lanes.FLOATS);
      int i = 0;
      for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
        a = Lanes.bfloats(row, at + 2L * i).fma(Lanes.floats(x, i), a);
      }
      float sum = a.reduceLanes(ADD);
      for (; i < n; i++) sum += bfloat(row, at + 2L * i) * x[i];
      return sum;
    }

    @Override
    public void decode(MemorySegment row, long at, float[] to, int toAt, int n) {
      int i = 0;
      for (; i + Lanes.COUNT <= n; i += Lanes.COUNT) {
        Lanes.bfloats(row, at + 2L * i).intoArray(to, toAt + i);
      }
      for (; i < n; i++) to[toAt + i] = bfloat(row, at + 2L * i);
    }

    private static float bfloat(MemorySegment row, long at) {
      return Float.intBitsToFloat(row.get(SHORT, at) << 16);
    }
  }

  /** Q8_0: a half scale, then 32 signed bytes. */
  record Bytes() implements PackedRow {
    private static final int BLOCK_BYTES = 34;

    @Override
    public float dot(MemorySegment row, long at, float[] x, int n) {
      var a = FloatVector.zero(Lanes.FLOATS);
      for (int i = 0; i < n; i += BLOCK, at += BLOCK_BYTES) {
        var sum = FloatVector.zero(Lanes.FLOATS);
        for (int j = 0; j < BLOCK; j += Lanes.COUNT) {
          sum = Lanes.signedBytes(row, at + 2 + j).fma(Lanes.floats(x, i + j), sum);
        }
        a = sum.fma(FloatVector.broadcast(Lanes.FLOATS, half(row, at)), a);
      }
      return a.reduceLanes(ADD);
    }

    @Override
    public void decode(MemorySegment row, long at, float[] to, int toAt, int n) {
      for (int i = 0; i < n; i += BLOCK, at += BLOCK_BYTES) {
        float scale = half(row, at);
        for (int j = 0; j < BLOCK; j += Lanes.COUNT) {
          Lanes.signedBytes(row, at + 2 + j).mul(scale).intoArray(to, toAt + i + j);
        }
      }
    }
  }

  /** Q4_0: a half scale, then 16 bytes whose low nibbles are the first 16 numbers. */
  record Nibbles() implements PackedRow {
    private static final int BLOCK_BYTES = 18;
    private static final int HALF_BLOCK = 16;

    @Override
    public float dot(MemorySegment row, long at, float[] x, int n) {
      var a = FloatVector.zero(Lanes.FLOATS);
      for (int i = 0; i < n; i += BLOCK, at += BLOCK_BYTES) {
        var sum = FloatVector.zero(Lanes.FLOATS);
        for (int j = 0; j < HALF_BLOCK; j += Lanes.COUNT) {
          sum = Lanes.lowNibbles(row, at + 2 + j).fma(Lanes.floats(x, i + j), sum);
          sum = Lanes.highNibbles(row, at + 2 + j).fma(Lanes.floats(x, i + HALF_BLOCK + j), sum);
        }
        a = sum.fma(FloatVector.broadcast(Lanes.FLOATS, half(row, at)), a);
      }
      return a.reduceLanes(ADD);
    }

    @Override
    public void decode(MemorySegment row, long at, float[] to, int toAt, int n) {
      for (int i = 0; i < n; i += BLOCK, at += BLOCK_BYTES) {
        float scale = half(row, at);
        for (int j = 0; j < HALF_BLOCK; j += Lanes.COUNT) {
          Lanes.lowNibbles(row, at + 2 + j).mul(scale).intoArray(to, toAt + i + j);
          Lanes.highNibbles(row, at + 2 + j).mul(scale).intoArray(to, toAt + i + HALF_BLOCK + j);
        }
      }
    }
  }
}
