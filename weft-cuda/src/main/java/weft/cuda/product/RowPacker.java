package weft.cuda.product;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static weft.cuda.product.PackedForm.RUN;

import java.lang.foreign.MemorySegment;
import weft.quant.Encoding;

/** Takes blocks apart into the planes of a row; nothing is rounded. */
final class RowPacker {
  private final Encoding encoding;
  private final PackedForm form;
  private final RowLayout layout;
  private final BlockParts parts;

  RowPacker(Encoding encoding, PackedForm form, RowLayout layout) {
    this.encoding = encoding;
    this.form = form;
    this.layout = layout;
    parts = new BlockParts(encoding);
  }

  void pack(MemorySegment from, long source, MemorySegment to, long row) {
    to.asSlice(row, layout.rowBytes()).fill((byte) 0);
    int runsABlock = encoding.blockValues() / RUN;
    for (int block = 0; block < layout.columns() / encoding.blockValues(); block++) {
      parts.read(from, source + (long) block * encoding.blockBytes());
      for (int run = 0; run < runsABlock; run++) {
        int place = block * runsABlock + run;
        numbers(to, row, place, run * RUN);
        above(to, row, place, run * RUN);
        scales(to, row, place, run);
      }
    }
  }

  private void numbers(MemorySegment to, long row, int place, int first) {
    var q = parts.numbers();
    switch (form.numbers()) {
      case BYTES -> {
        for (int i = 0; i < RUN; i++) {
          long plane = row + (i < 16 ? 0 : layout.secondBytesAt());
          to.set(JAVA_BYTE, plane + 16L * place + i % 16, (byte) q[first + i]);
        }
      }
      case NIBBLES -> {
        for (int i = 0; i < 16; i++) {
          int pair = q[first + i] & 15 | (q[first + 16 + i] & 15) << 4;
          to.set(JAVA_BYTE, row + 16L * place + i, (byte) pair);
        }
      }
      case LEVELS -> {
        for (int i = 0; i < 16; i++) {
          int pair = q[first + 2 * i] | q[first + 2 * i + 1] << 4;
          to.set(JAVA_BYTE, row + 16L * place + i, (byte) pair);
        }
      }
      case TWOS -> twos(to, row + 8L * place, first, 0);
    }
  }

  /** Two bits of each number, from this bit on. */
  private void twos(MemorySegment to, long at, int first, int bit) {
    for (int i = 0; i < 8; i++) {
      int four = 0;
      for (int j = 0; j < 4; j++) {
        int value = parts.numbers()[first + i / 4 * 16 + 4 * j + i % 4];
        four |= (value >> bit & 3) << 2 * j;
      }
      to.set(JAVA_BYTE, at + i, (byte) four);
    }
  }

  private void above(MemorySegment to, long row, int place, int first) {
    long plane = row + layout.aboveAt();
    switch (form.above()) {
      case NONE -> {}
      case TWO -> twos(to, plane + 8L * place, first, 4);
      case ONE -> {
        int bit = form.numbers() == PackedForm.Numbers.TWOS ? 2 : 4;
        int bits = 0;
        for (int i = 0; i < RUN; i++) {
          bits |= (parts.numbers()[first + i] >> bit & 1) << 8 * (i % 4) + i / 4;
        }
        to.set(JAVA_INT_UNALIGNED, plane + 4L * place, bits);
      }
    }
  }

  private void scales(MemorySegment to, long row, int place, int run) {
    long plane = row + layout.scalesAt();
    long block = row + layout.blockScalesAt();
    int number = place / PackedForm.RUNS_A_BLOCK;
    var s = parts.scales();
    switch (form.scales()) {
      case HALF -> to.set(JAVA_SHORT_UNALIGNED, plane + 2L * place, parts.d());
      case HALF_AND_OFFSET -> {
        to.set(JAVA_SHORT_UNALIGNED, plane + 4L * place, parts.d());
        to.set(JAVA_SHORT_UNALIGNED, plane + 4L * place + 2, parts.m());
      }
      case EXPONENT -> to.set(JAVA_BYTE, plane + place, (byte) parts.d());
      case BYTE -> {
        to.set(JAVA_BYTE, plane + place, (byte) s[run]);
        to.set(JAVA_SHORT_UNALIGNED, block + 2L * number, parts.d());
      }
      case TWO_BYTES -> {
        to.set(JAVA_BYTE, plane + 2L * place, (byte) s[2 * run]);
        to.set(JAVA_BYTE, plane + 2L * place + 1, (byte) s[2 * run + 1]);
        to.set(JAVA_SHORT_UNALIGNED, block + 2L * number, parts.d());
      }
      case TWO_PAIRS -> {
        for (int half = 0; half < 2; half++) {
          int pair = s[2 * run + half] | parts.minimums()[2 * run + half] << 4;
          to.set(JAVA_BYTE, plane + 2L * place + half, (byte) pair);
        }
        to.set(JAVA_SHORT_UNALIGNED, block + 4L * number, parts.d());
        to.set(JAVA_SHORT_UNALIGNED, block + 4L * number + 2, parts.m());
      }
      case SIX_BIT_PAIRS -> {
        long head = block + 16L * number;
        int minimum = parts.minimums()[run];
        to.set(JAVA_SHORT_UNALIGNED, head, parts.d());
        to.set(JAVA_SHORT_UNALIGNED, head + 2, parts.m());
        to.set(JAVA_BYTE, head + 4 + run, (byte) (s[run] & 15 | (minimum & 15) << 4));
        int upper = (s[run] >> 4 | minimum >> 4 << 2) << 4 * run;
        to.set(JAVA_INT_UNALIGNED, head + 12, to.get(JAVA_INT_UNALIGNED, head + 12) | upper);
      }
    }
  }
}
