package weft.cuda.product;

import static weft.cuda.ptx.Imm.bits;
import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;

/**
 * What a lane does with a run of 32 packed values: load it, in few instructions that wait for
 * nothing, and later take it apart.
 */
final class RunCode {
  /** {@code (a & b) | c}, as lop3 wants it. */
  private static final int AND_OR = 0xEA;

  /** The bits of 2^23, whose last bit counts ones: a byte below them is a float. */
  private static final int MAGIC = 0x4B000000;

  private static final float MAGIC_VALUE = 1 << 23;

  private final PtxWriter w;
  private final RowLayout layout;
  private final PackedForm form;

  RunCode(PtxWriter w, RowLayout layout) {
    this.w = w;
    this.layout = layout;
    form = layout.form().orElseThrow();
  }

  /**
   * A run as it lies in memory, in registers.
   *
   * @param run its number, which says where in its block it is
   */
  record Loaded(B32 run, List<B32> numbers, List<B32> above, List<B32> scales) {
    /** All of its registers. */
    List<B32> words() {
      var words = new ArrayList<B32>();
      words.add(run);
      words.addAll(numbers);
      words.addAll(above);
      words.addAll(scales);
      return words;
    }

    /** The same run in other registers, in the order of {@link #words}. */
    Loaded in(List<B32> words) {
      int above = 1 + numbers.size();
      int scales = above + this.above.size();
      return new Loaded(
          words.getFirst(),
          words.subList(1, above),
          words.subList(above, scales),
          words.subList(scales, words.size()));
    }
  }

  /**
   * A run taken apart: value i is {@code scale · byte i − minimum}.
   *
   * @param quads the numbers as bytes, four a word
   * @param scales of all values, or of each half
   * @param minimums as many, if any
   */
  record Taken(List<B32> quads, List<F32> scales, Optional<List<F32>> minimums) {}

  /** Loads a run of a row. */
  Loaded load(B64 row, B32 run) {
    var cache = Cache.STREAMED;
    var numbers = new ArrayList<B32>();
    switch (form.numbers()) {
      case BYTES -> {
        var at = Mem.global(w.madWide(run, imm(16), row));
        numbers.addAll(w.loadWords(4, at, cache));
        numbers.addAll(w.loadWords(4, at.plus(layout.secondBytesAt()), cache));
      }
      case NIBBLES, LEVELS ->
          numbers.addAll(w.loadWords(4, Mem.global(w.madWide(run, imm(16), row)), cache));
      case TWOS -> numbers.addAll(w.loadWords(2, Mem.global(w.madWide(run, imm(8), row)), cache));
    }
    List<B32> above =
        switch (form.above()) {
          case NONE -> List.of();
          case ONE -> List.of(w.load(plane(row, run, 4, layout.aboveAt()), cache));
          case TWO -> w.loadWords(2, plane(row, run, 8, layout.aboveAt()), cache);
        };
    return new Loaded(run, numbers, above, loadScales(row, run));
  }

  private Mem plane(B64 row, B32 index, int bytes, int at) {
    return Mem.global(w.madWide(index, imm(bytes), row)).plus(at);
  }

  private List<B32> loadScales(B64 row, B32 run) {
    // Scales of neighbours share a line, so they may stay in the nearest cache.
    var cache = Cache.READ_ONLY;
    int runs = layout.scalesAt();
    int blocks = layout.blockScalesAt();
    return switch (form.scales()) {
      case HALF -> List.of(w.loadShort(plane(row, run, 2, runs), cache));
      case HALF_AND_OFFSET -> List.of(w.load(plane(row, run, 4, runs), cache));
      case EXPONENT -> List.of(w.loadByte(plane(row, run, 1, runs), cache));
      case BYTE ->
          List.of(
              w.loadSignedByte(plane(row, run, 1, runs), cache),
              w.loadShort(plane(row, block(run), 2, blocks), cache));
      case TWO_BYTES ->
          List.of(
              w.loadShort(plane(row, run, 2, runs), cache),
              w.loadShort(plane(row, block(run), 2, blocks), cache));
      case TWO_PAIRS ->
          List.of(
              w.loadShort(plane(row, run, 2, runs), cache),
              w.load(plane(row, block(run), 4, blocks), cache));
      case SIX_BIT_PAIRS -> w.loadWords(4, plane(row, block(run), 16, blocks), cache);
    };
  }

  private B32 block(B32 run) {
    return w.shr(run, imm(3));
  }

  /** Takes a loaded run apart. */
  Taken take(Loaded loaded) {
    w.note("a run of weights: its scale, then its numbers as bytes, four a word");
    var scales = scales(loaded);
    Optional<List<F32>> minimums = Optional.empty();
    if (form.scales().hasMinimum()) {
      minimums = Optional.of(minimums(loaded));
    } else if (form.zero() != 0) {
      minimums = Optional.of(scales.stream().map(s -> w.mul(s, real(form.zero()))).toList());
    }
    return new Taken(quads(loaded), scales, minimums);
  }

  private List<B32> quads(Loaded loaded) {
    var numbers = loaded.numbers();
    var quads = new ArrayList<B32>();
    for (int q = 0; q < 8; q++) {
      quads.add(
          switch (form.numbers()) {
            case BYTES -> numbers.get(q);
            case NIBBLES -> masked(numbers.get(q % 4), q / 4 * 4, 0x0F0F0F0F);
            case TWOS -> masked(numbers.get(q / 4), q % 4 * 2, 0x03030303);
            case LEVELS -> level(numbers.get(q / 2), q % 2 * 16);
          });
    }
    int bit = form.numbers() == PackedForm.Numbers.TWOS ? 2 : 4;
    for (int q = 0; q < 8; q++) {
      switch (form.above()) {
        case NONE -> {}
        case ONE -> quads.set(q, joined(quads.get(q), loaded.above().get(0), q, bit, 0x01010101));
        case TWO ->
            quads.set(
                q, joined(quads.get(q), loaded.above().get(q / 4), q % 4 * 2, bit, 0x03030303));
      }
    }
    return quads;
  }

  private B32 masked(B32 word, int shift, int mask) {
    return w.and(shift == 0 ? word : w.shr(word, imm(shift)), bits(mask));
  }

  /** A quad and the bits of a word that begin at {@code from}, as bits from {@code to} on. */
  private B32 joined(B32 quad, B32 word, int from, int to, int mask) {
    var moved =
        from == to ? word : from < to ? w.shl(word, imm(to - from)) : w.shr(word, imm(from - to));
    return w.lop3(moved, bits(mask << to), quad, AND_OR);
  }

  /** The levels of four nibbles: two lookups of eight levels, then one of both by the last bit. */
  private B32 level(B32 word, int shift) {
    var names = shift == 0 ? word : w.shr(word, imm(shift));
    var places = w.and(names, bits(0x7777));
    var low = w.bytes(w.mov(bits(levels(0))), bits(levels(4)), places);
    var high = w.bytes(w.mov(bits(levels(8))), bits(levels(12)), places);
    var choice = w.lop3(w.shr(names, imm(1)), bits(0x4444), bits(0x3210), AND_OR);
    return w.bytes(low, high, choice);
  }

  private int levels(int first) {
    int word = 0;
    for (int i = 0; i < 4; i++) word |= (form.levels()[first + i] & 0xFF) << 8 * i;
    return word;
  }

  private F32 lowHalf(B32 word) {
    return w.toReal(w.lowHalf(word));
  }

  private F32 highHalf(B32 word) {
    return w.toReal(w.highHalf(word));
  }

  private List<F32> scales(Loaded loaded) {
    var s = loaded.scales();
    return switch (form.scales()) {
      case HALF, HALF_AND_OFFSET -> List.of(lowHalf(s.get(0)));
      case EXPONENT -> List.of(power(s.get(0)));
      case BYTE -> List.of(w.mul(lowHalf(s.get(1)), w.toReal(s.get(0))));
      case TWO_BYTES -> {
        var d = lowHalf(s.get(1));
        yield List.of(
            w.mul(d, w.toReal(w.signedBits(s.get(0), imm(0), imm(8)))),
            w.mul(d, w.toReal(w.signedBits(s.get(0), imm(8), imm(8)))));
      }
      case TWO_PAIRS -> {
        var d = lowHalf(s.get(1));
        yield List.of(
            w.mul(d, w.toReal(w.bits(s.get(0), imm(0), imm(4)))),
            w.mul(d, w.toReal(w.bits(s.get(0), imm(8), imm(4)))));
      }
      case SIX_BIT_PAIRS -> {
        var low = w.and(pair(loaded), imm(15));
        var both = w.lop3(w.shl(upper(loaded), imm(4)), bits(0x30), low, AND_OR);
        yield List.of(w.mul(lowHalf(s.get(0)), w.toReal(both)));
      }
    };
  }

  /** {@code 2^(e - 128)}, in two factors that are both normal. */
  private F32 power(B32 exponent) {
    var half = w.shr(exponent, imm(1));
    var rest = w.sub(exponent, half);
    var a = w.realOf(w.shl(w.add(half, imm(63)), imm(23)));
    var b = w.realOf(w.shl(w.add(rest, imm(63)), imm(23)));
    return w.mul(a, b);
  }

  /** The byte of a run in which the lower bits of scale and minimum are. */
  private B32 pair(Loaded loaded) {
    var place = w.and(loaded.run(), imm(7));
    return w.bytes(loaded.scales().get(1), loaded.scales().get(2), place);
  }

  /** The bits above them, lowest first. */
  private B32 upper(Loaded loaded) {
    var place = w.and(loaded.run(), imm(7));
    return w.shr(loaded.scales().get(3), w.shl(place, imm(2)));
  }

  private List<F32> minimums(Loaded loaded) {
    var s = loaded.scales();
    return switch (form.scales()) {
      case HALF_AND_OFFSET -> List.of(w.neg(highHalf(s.get(0))));
      case TWO_PAIRS -> {
        var m = highHalf(s.get(1));
        yield List.of(
            w.mul(m, w.toReal(w.bits(s.get(0), imm(4), imm(4)))),
            w.mul(m, w.toReal(w.bits(s.get(0), imm(12), imm(4)))));
      }
      case SIX_BIT_PAIRS -> {
        var low = w.bits(pair(loaded), imm(4), imm(4));
        var both = w.lop3(w.shl(upper(loaded), imm(2)), bits(0x30), low, AND_OR);
        yield List.of(w.mul(highHalf(s.get(0)), w.toReal(both)));
      }
      case HALF, EXPONENT, BYTE, TWO_BYTES -> throw new IllegalStateException("no minimum");
    };
  }

  /** {@code sum + } the products of a quad with four activations that are signed bytes. */
  B32 dot(B32 quad, B32 activations, B32 sum) {
    return form.isSigned()
        ? w.dotSigned(quad, activations, sum)
        : w.dotUnsigned(quad, activations, sum);
  }

  /** The 32 values of a loaded run as halves, two a word. */
  List<B32> halves(Loaded loaded) {
    var values = values(take(loaded));
    var pairs = new ArrayList<B32>();
    for (int i = 0; i < values.size(); i += 2) {
      pairs.add(w.toHalves(values.get(i), values.get(i + 1)));
    }
    return pairs;
  }

  /** The 32 values of a run. */
  List<F32> values(Taken taken) {
    var values = new ArrayList<F32>();
    var minuses = taken.minimums().map(all -> all.stream().map(w::neg).toList());
    for (int q = 0; q < 8; q++) {
      int half = taken.scales().size() == 1 ? 0 : q / 4;
      var scale = taken.scales().get(half);
      // Signed bytes become unsigned ones by turning their first bit.
      var quad = taken.quads().get(q);
      var bytes = form.isSigned() ? w.xor(quad, bits(0x80808080)) : quad;
      float bias = form.isSigned() ? MAGIC_VALUE + 128 : MAGIC_VALUE;
      for (int b = 0; b < 4; b++) {
        var biased = w.realOf(w.bytes(bytes, bits(MAGIC), bits(0x7440 | b)));
        var number = w.sub(biased, real(bias));
        values.add(
            minuses
                .map(m -> w.fma(scale, number, m.get(half)))
                .orElseGet(() -> w.mul(scale, number)));
      }
    }
    return values;
  }
}
