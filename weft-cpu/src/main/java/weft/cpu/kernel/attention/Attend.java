package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.ExpCode;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.SoftCap;

/**
 * Attention of one row for the query heads that share a head of keys and values: four heads at a
 * time, so that each key and value is read and widened once for all of them (AVX2: each value for
 * two).
 *
 * <p>Three passes: scores of all positions, four positions a tile (AVX2: two, of four heads); their
 * softmax; the weighted sum of the values, four vectors of a value at a time. The scores of 4096
 * positions and four heads take 64 KB, so they stay in the second-level cache between the passes.
 */
public final class Attend {
  /** The most positions of a tile. */
  private static final int POSITIONS = 4;

  private static final int HEADS = AttendRows.MOST_HEADS;
  private static final int LINE = 64;

  /** Where the heads in hand are. */
  private static final Gpr QUERIES = R12;

  private static final Gpr SCORES = R13;
  private static final Gpr OUT = R14;
  private static final Gpr HEADS_LEFT = R15;

  private final KernelWriter w;
  private final KvRead read;
  private final int lanes;

  /** The heads whose values are summed at a time: of four vectors each, in registers. */
  private final int valueHeads;

  private final Vec[] sums;
  private final Vec[] rows;
  private final Vec query;
  private final Vec t;

  /** The sums of a block for each head, where its scale meets them. */
  private final Vec[] blockSums;

  /** Where the scale of each key's block is; AVX2 has no room for them, nor need. */
  private final Vec[] scales;

  private Attend(KernelWriter w, KvKind kind) {
    this.w = w;
    read = new KvRead(w, kind);
    lanes = w.isa().vectorBits() / Float.SIZE;
    valueHeads = lanes == 16 ? HEADS : HEADS / 2;
    var registers = new Registers(w.isa());
    sums = registers.take(valueHeads * POSITIONS);
    rows = registers.take(POSITIONS);
    query = registers.take();
    t = registers.take();
    blockSums = new Vec[] {rows[1], rows[2], rows[3], query};
    scales = lanes == 16 ? registers.take(POSITIONS) : new Vec[] {t, t, t, t};
  }

  public static String name(KvKind kind) {
    return "attend." + kind;
  }

  public static void emit(KernelWriter w, KvKind kind) {
    var unit = w.label("unit");
    AttendRows.emit(w, name(kind), unit);
    w.bind(unit);
    new Attend(w, kind).heads();
    w.op(RET);
  }

  private int vectorBytes() {
    return lanes * Float.BYTES;
  }

  private void heads() {
    var next = w.label("heads");
    var two = w.label("two");
    var one = w.label("one");
    var done = w.label("done");
    w.op(MOV, QUERIES, at(ARGUMENTS, AttendUnit.Q));
    w.op(MOV, SCORES, at(ARGUMENTS, AttendUnit.SCORES));
    w.op(MOV, OUT, at(ARGUMENTS, AttendUnit.OUT));
    w.op(MOV, HEADS_LEFT, at(ARGUMENTS, AttendUnit.HEADS));
    w.bind(next);
    w.op(CMP, HEADS_LEFT, imm(HEADS));
    w.op(JL, two);
    some(HEADS);
    w.op(JMP, next);
    w.bind(two);
    w.op(CMP, HEADS_LEFT, imm(2));
    w.op(JL, one);
    some(2);
    w.op(JMP, next);
    w.bind(one);
    w.op(TEST, HEADS_LEFT, HEADS_LEFT);
    w.op(JE, done);
    some(1);
    w.bind(done);
  }

  /** All three passes for this many heads, and on to the next. */
  private void some(int heads) {
    scoresOf(heads);
    for (int h = 0; h < heads; h++) softmax(h);
    int some = Math.min(heads, valueHeads);
    for (int first = 0; first < heads; first += some) {
      valuesOf(first, some);
      advance(OUT, AttendUnit.VALUE_DIM, Float.BYTES * some);
      if (some < heads) advance(SCORES, AttendUnit.SCORE_BYTES, some);
    }
    if (some < heads) w.op(MOV, SCORES, at(ARGUMENTS, AttendUnit.SCORES));
    advance(QUERIES, AttendUnit.KEY_DIM, Float.BYTES * heads);
    w.op(SUB, HEADS_LEFT, imm(heads));
  }

  /** {@code pointer += times * argument}. */
  private void advance(Gpr pointer, int argument, int times) {
    w.op(MOV, RAX, at(ARGUMENTS, argument));
    w.op(IMUL, RAX, RAX, imm(times));
    w.op(ADD, pointer, RAX);
  }

  /** The positions of a tile of this many heads. */
  private int tilePositions(int heads) {
    return Math.min(POSITIONS, sums.length / heads);
  }

  // Scores.

  private void scoresOf(int heads) {
    w.note("scores: rdx, rsi = one, three keys on; r11, rcx = one, three queries on");
    w.op(MOV, RDX, at(ARGUMENTS, AttendUnit.KEY_BYTES));
    w.op(LEA, RSI, at(RDX, RDX, 2));
    w.op(MOV, R11, at(ARGUMENTS, AttendUnit.KEY_DIM));
    w.op(SHL, R11, imm(2));
    w.op(LEA, RCX, at(R11, R11, 2));
    w.op(MOV, R10, SCORES);
    w.op(LEA, RAX, at(QUERIES, R11, 1));
    w.op(MOV, at(ARGUMENTS, AttendUnit.QUERY_END), RAX);
    overPages(R8, RDX, AttendUnit.KEYS, RAX, () -> tiles(heads));
  }

  /**
   * Runs the body for each page: {@code first} is its first position's key or value, r9 how many it
   * has, {@code next} how far from there the next page's are, or 0. What is read is asked for a
   * page ahead: the processor's own prefetchers lose a run of positions at its end
   * (docs/performance.md has what that is worth).
   */
  private void overPages(Gpr first, Gpr bytes, int inPage, Gpr next, Runnable body) {
    var page = w.label("page");
    var again = w.label("again");
    var last = w.label("last");
    w.op(MOV, next, at(ARGUMENTS, AttendUnit.PAGES));
    w.op(MOV, at(ARGUMENTS, AttendUnit.PAGE), next);
    w.op(MOV, next, at(ARGUMENTS, AttendUnit.COUNT));
    w.op(MOV, at(ARGUMENTS, AttendUnit.LEFT), next);
    w.op(MOV, first, at(ARGUMENTS, AttendUnit.PLACE));
    w.op(MOV, R9.d(), imm(KvPart.POSITIONS));
    w.op(SUB, R9, first);
    w.op(IMUL, first, bytes);
    w.op(JMP, page);
    w.bind(again);
    w.op(ADD, at(ARGUMENTS, AttendUnit.PAGE).sized(64), imm(Long.BYTES));
    w.op(MOV, R9.d(), imm(KvPart.POSITIONS));
    w.op(XOR, first.d(), first.d());
    w.bind(page);
    w.op(MOV, next, at(ARGUMENTS, AttendUnit.PAGE));
    w.op(ADD, first, at(next));
    w.op(ADD, first, at(ARGUMENTS, inPage));
    w.op(MOV, next, at(ARGUMENTS, AttendUnit.LEFT));
    w.op(CMP, R9, next);
    w.op(CMOVG, R9, next);
    w.op(SUB, next, R9);
    w.op(MOV, at(ARGUMENTS, AttendUnit.LEFT), next);
    w.op(JE, last);
    w.op(MOV, next, at(ARGUMENTS, AttendUnit.PAGE));
    w.op(MOV, next, at(next, Long.BYTES));
    w.op(ADD, next, at(ARGUMENTS, inPage));
    w.op(SUB, next, first);
    w.bind(last);
    body.run();
    w.op(CMP, at(ARGUMENTS, AttendUnit.LEFT).sized(64), imm(0));
    w.op(JG, again);
  }

  /** A tile after the other; the last may have fewer positions, and writes more scores. */
  private void tiles(int heads) {
    var tile = w.label("tile");
    var chunk = w.label("chunk");
    int positions = tilePositions(heads);
    long chunkBytes = read.bytes(read.least());
    w.op(MOV, at(ARGUMENTS, AttendUnit.NEXT), RAX);
    w.loop(tile);
    for (int i = 0; i < heads * positions; i++) w.zero(sums[i]);
    w.note(
        "rbp + %d rbx = what is read a page later; chunks are in no order there"
            .formatted(positions));
    w.op(MOV, RBP, at(ARGUMENTS, AttendUnit.NEXT));
    w.op(LEA, RBX, positions == POSITIONS ? at(R8, R8, 2) : at(R8));
    w.op(SUB, RBP, RBX);
    w.op(MOV, RBX, R8);
    w.op(MOV, RAX, QUERIES);
    w.loop(chunk);
    for (long line = 0; line < positions * chunkBytes; line += LINE) {
      w.op(PREFETCHT1, at(RBP, RBX, positions, line));
    }
    if (read.hasScales() && lanes == 8) blocks(heads);
    else vectors(heads);
    w.op(ADD, RBX, imm(chunkBytes));
    w.op(ADD, RAX, imm((long) read.least() * vectorBytes()));
    w.op(CMP, RAX, at(ARGUMENTS, AttendUnit.QUERY_END));
    w.op(JB, chunk);
    w.op(MOV, RBX, at(ARGUMENTS, AttendUnit.SCORE_BYTES));
    w.op(LEA, RBP, at(RBX, RBX, 2));
    total(heads * positions);
    for (int h = 0; h < heads; h++) store(h, positions);
    w.op(ADD, R10, imm((long) positions * Float.BYTES));
    w.op(LEA, R8, at(R8, RDX, positions));
    w.op(SUB, R9, imm(positions));
    w.op(JG, tile);
    w.note("r9 = minus the scores too many: the next page's go there");
    w.op(LEA, R10, at(R10, R9, 4));
  }

  /** The scores of a head, which are 128 bits of what {@link #total} left, or half as many. */
  private void store(int head, int positions) {
    var to = strided(R10, RBX, RBP, head).at(0);
    int part = head * positions / 4;
    if (positions == POSITIONS) {
      if (part == 0) w.op(VMOVUPS, to, sums[0].x());
      else w.op(lanes == 16 ? VEXTRACTF32X4 : VEXTRACTF128, to, sums[0], imm(part));
      return;
    }
    if (part > 0 && head % 2 == 0) w.op(VEXTRACTF128, sums[0].x(), sums[0], imm(part));
    if (head % 2 == 0) w.op(VMOVQ, to, sums[0].x());
    else w.op(VPEXTRQ, to, sums[0].x(), imm(1));
  }

  /** A chunk of the tile's keys, a vector of each after the other. */
  private void vectors(int heads) {
    int positions = tilePositions(heads);
    for (int v = 0; v < read.least(); v++) {
      for (int p = 0; p < positions; p++) {
        read.load(rows[p], key(p), v, scales[p], v > 0);
      }
      for (int h = 0; h < heads; h++) {
        w.op(VMOVUPS, query, strided(RAX, R11, RCX, h).at(v * vectorBytes()));
        for (int p = 0; p < positions; p++) {
          w.op(VFMADD231PS, sums[h * positions + p], rows[p], query);
        }
      }
    }
  }

  /**
   * The same a key after the other, whose scale meets the sum of its block for each head rather
   * than each of its vectors: one scale widened for each key.
   */
  private void blocks(int heads) {
    int positions = tilePositions(heads);
    for (int p = 0; p < positions; p++) {
      for (int v = 0; v < read.least(); v++) {
        read.unscaled(rows[0], key(p), v);
        for (int h = 0; h < heads; h++) {
          var of = strided(RAX, R11, RCX, h).at(v * vectorBytes());
          w.op(v == 0 ? VMULPS : VFMADD231PS, blockSums[h], rows[0], of);
        }
      }
      read.scale(t, key(p), 0);
      for (int h = 0; h < heads; h++) {
        w.op(VFMADD231PS, sums[h * positions + p], blockSums[h], t);
      }
    }
  }

  /** The chunk of one of the tile's keys. */
  private static Place key(int position) {
    return strided(RBX, RDX, RSI, position);
  }

  /** {@code [base + times * stride]}, where {@code three} holds three strides. */
  private static Place strided(Gpr base, Gpr stride, Gpr three, int times) {
    return switch (times) {
      case 0 -> Place.of(base);
      case 1 -> Place.of(base, stride, 1);
      case 2 -> Place.of(base, stride, 2);
      default -> Place.of(base, three, 1);
    };
  }

  /**
   * The sums of the lanes of each of {@code n} vectors, four to 128 bits of the first, in their
   * order. Interleaving before adding halves the vectors at each level.
   */
  private void total(int n) {
    var u = rows[0];
    for (int i = 0; i < n; i += 2) {
      w.op(VUNPCKHPS, u, sums[i], sums[i + 1]);
      w.op(VUNPCKLPS, sums[i / 2], sums[i], sums[i + 1]);
      w.op(VADDPS, sums[i / 2], sums[i / 2], u);
    }
    for (int i = 0; i < n / 2; i += 2) {
      w.op(VPUNPCKHQDQ, u, sums[i], sums[i + 1]);
      w.op(VPUNPCKLQDQ, sums[i / 2], sums[i], sums[i + 1]);
      w.op(VADDPS, sums[i / 2], sums[i / 2], u);
    }
    for (int parts = lanes / 4, left = n / 4; parts > 1; parts /= 2, left = (left + 1) / 2) {
      for (int i = 0; i < left; i += 2) {
        var b = sums[Math.min(i + 1, left - 1)];
        if (lanes == 16) {
          w.op(VSHUFF32X4, u, sums[i], b, imm(0xDD));
          w.op(VSHUFF32X4, sums[i / 2], sums[i], b, imm(0x88));
        } else {
          w.op(VPERM2F128, u, sums[i], b, imm(0x31));
          w.op(VPERM2F128, sums[i / 2], sums[i], b, imm(0x20));
        }
        w.op(VADDPS, sums[i / 2], sums[i / 2], u);
      }
    }
  }

  // Softmax.

  private void softmax(int head) {
    var x = sums[0];
    var max = sums[1];
    var total = sums[2];
    var exp = new ExpCode(w, sums[3], sums[4]);
    var softCap = new SoftCap(w, AttendUnit.CAPS);
    var cap = w.label("cap");
    var capped = w.label("capped");
    var largest = w.label("largest");
    var each = w.label("each");
    w.note("softmax of head " + head + ": r8 = its scores, r9 = where they end");
    w.op(MOV, R8, at(ARGUMENTS, AttendUnit.SCORE_BYTES));
    w.op(IMUL, R8, R8, imm(head));
    w.op(ADD, R8, SCORES);
    w.op(MOV, R9, at(ARGUMENTS, AttendUnit.COUNT));
    w.op(LEA, R9, at(R8, R9, 4));
    w.everywhere(max, "least", Float.floatToRawIntBits(-Float.MAX_VALUE));
    w.op(VMOVUPS, at(R9), max);

    softCap.unless(capped);
    overScores(
        cap,
        () -> {
          softCap.apply(x, total, exp);
          w.op(VMOVUPS, at(RAX), x);
        },
        x);
    w.note("the positions behind the last stay the least");
    w.op(VMOVUPS, at(R9), max);
    w.bind(capped);

    overScores(largest, () -> w.op(VMAXPS, max, max, x), x);
    w.everyLane(VMAXPS, max, x);
    w.zero(total);
    overScores(
        each,
        () -> {
          w.op(VSUBPS, x, x, max);
          exp.apply(x);
          w.op(VMOVUPS, at(RAX), x);
          w.op(VADDPS, total, total, x);
        },
        x);
    w.everyLane(VADDPS, total, x);
    w.op(VBROADCASTSS, x, at(w.assembler().floats("one", 1)));
    w.op(VDIVPS, x, x, total);
    w.op(VMOVSS, at(ARGUMENTS, AttendUnit.INVERSES + head * Float.BYTES), x.x());
  }

  /** Runs the body for each vector of the scores from r8 to r9: rax is where, x is what. */
  private void overScores(Label loop, Runnable body, Vec x) {
    w.op(MOV, RAX, R8);
    w.loop(loop);
    w.op(VMOVUPS, x, at(RAX));
    body.run();
    w.op(ADD, RAX, imm(vectorBytes()));
    w.op(CMP, RAX, R9);
    w.op(JB, loop);
  }

  // Values.

  /** Of {@code heads} heads whose scores are there, {@code first} is the first of those in hand. */
  private void valuesOf(int first, int heads) {
    var four = w.label("four");
    var least = w.label("least");
    var done = w.label("summed");
    w.note("values: rcx = floats left, rsi = bytes into a value, r10 = where results go");
    w.op(MOV, RCX, at(ARGUMENTS, AttendUnit.VALUE_DIM));
    w.op(XOR, RSI, RSI);
    w.op(MOV, R10, OUT);
    w.op(MOV, RDX, at(ARGUMENTS, AttendUnit.VALUE_BYTES));
    w.bind(four);
    w.op(CMP, RCX, imm(4L * lanes));
    w.op(JL, least);
    columns(first, heads, 4);
    w.op(JMP, four);
    w.bind(least);
    w.op(TEST, RCX, RCX);
    w.op(JE, done);
    columns(first, heads, read.least());
    w.op(JMP, least);
    w.bind(done);
  }

  /** The sums of {@code count} vectors of columns over all positions. */
  private void columns(int first, int heads, int count) {
    for (int i = 0; i < heads * count; i++) w.zero(sums[i]);
    w.op(MOV, RBX, at(ARGUMENTS, AttendUnit.SCORE_BYTES));
    w.op(LEA, RBP, at(RBX, RBX, 2));
    w.op(MOV, RAX, SCORES);
    overPages(R11, RDX, AttendUnit.VALUES, R8, () -> positions(heads, count));
    w.op(MOV, RAX, at(ARGUMENTS, AttendUnit.VALUE_DIM));
    w.op(SHL, RAX, imm(2));
    w.op(MOV, R11, R10);
    for (int h = 0; h < heads; h++) {
      w.op(VBROADCASTSS, query, at(ARGUMENTS, AttendUnit.INVERSES + (first + h) * Float.BYTES));
      for (int c = 0; c < count; c++) {
        w.op(VMULPS, sums[h * count + c], sums[h * count + c], query);
        w.op(VMOVUPS, at(R11, (long) c * vectorBytes()), sums[h * count + c]);
      }
      w.op(ADD, R11, RAX);
    }
    w.op(SUB, RCX, imm((long) count * lanes));
    w.op(ADD, RSI, imm(read.bytes(count)));
    w.op(ADD, R10, imm((long) count * vectorBytes()));
  }

  /** The values of a page, and on to the next one's weights. */
  private void positions(int heads, int count) {
    var position = w.label("position");
    w.op(ADD, R11, RSI);
    w.loop(position);
    long bytes = read.bytes(count);
    for (long line = 0; line < bytes; line += LINE) w.op(PREFETCHT1, at(R11, R8, 1, line));
    if (bytes % LINE != 0) w.op(PREFETCHT1, at(R11, R8, 1, bytes - 1));
    boolean isScaledByWeight = read.hasScales() && count == read.least() && heads < count;
    if (isScaledByWeight) read.scale(t, Place.of(R11), 0);
    for (int c = 0; c < count; c++) {
      if (isScaledByWeight) read.unscaled(rows[c], Place.of(R11), c);
      else read.load(rows[c], Place.of(R11), c, t, c % read.least() > 0);
    }
    for (int h = 0; h < heads; h++) {
      w.op(VBROADCASTSS, query, strided(RAX, RBX, RBP, h).at(0));
      if (isScaledByWeight) w.op(VMULPS, query, query, t);
      for (int c = 0; c < count; c++) {
        w.op(VFMADD231PS, sums[h * count + c], rows[c], query);
      }
    }
    w.op(ADD, R11, RDX);
    w.op(ADD, RAX, imm(Float.BYTES));
    w.op(DEC, R9);
    w.op(JNE, position);
  }
}
