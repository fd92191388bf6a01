package weft.cpu.kernel.product;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.cpu.kernel.emit.KernelException;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.AbreastCode;
import weft.cpu.kernel.format.BlockCode;
import weft.cpu.kernel.format.FiveBitCode;
import weft.cpu.kernel.format.FloatCode;
import weft.cpu.kernel.format.IQ4_XSCode;
import weft.cpu.kernel.format.NibbleAbreast;
import weft.cpu.kernel.format.NibbleCode;
import weft.cpu.kernel.format.Q2_KCode;
import weft.cpu.kernel.format.Q3_KCode;
import weft.cpu.kernel.format.Q4_KCode;
import weft.cpu.kernel.format.Q5_KCode;
import weft.cpu.kernel.format.Q6_KAbreast;
import weft.cpu.kernel.format.Q6_KCode;
import weft.cpu.kernel.format.Q8_0Abreast;
import weft.cpu.kernel.format.Q8_0Code;
import weft.cpu.kernel.format.ShortBlockCode;
import weft.cpu.kernel.format.SixBitRunsAbreast;
import weft.cpu.kernel.product.AbreastMatMul.Walk;
import weft.ir.Fn;
import weft.quant.BF16;
import weft.quant.Encoding;
import weft.quant.F16;
import weft.quant.F32;
import weft.quant.IQ4_NL;
import weft.quant.IQ4_XS;
import weft.quant.MXFP4;
import weft.quant.Q2_K;
import weft.quant.Q3_K;
import weft.quant.Q4_0;
import weft.quant.Q4_1;
import weft.quant.Q4_K;
import weft.quant.Q5_0;
import weft.quant.Q5_1;
import weft.quant.Q5_K;
import weft.quant.Q6_K;
import weft.quant.Q8_0;

/** The formats that have emitted kernels, by the family of kernels that serves them. */
public sealed interface FormatCode {
  /** Beyond these, weights would come from memory too often. */
  int MOST_IN_PARTS = 64;

  /** With more activation rows than these, AMX's tiles, which take 16 at any rate, gain. */
  int MOST_BEFORE_TILES = 4;

  /** With more activation rows than these, sixteen weight rows abreast lose to a panel. */
  int MOST_ABREAST = 16;

  /**
   * The same of sixteen neighbours, but for nibbles under a scale: on two Zen 5 cores 17 to 32
   * activation rows have 1.26 to 1.46 of the products of a panel in Q4_K, 1.03 to 1.13 in Q8_0 and
   * 0.98 to 1.07 in Q6_K; in Q4_0 0.89 to 0.96.
   */
  int MOST_NEIGHBOURS = 32;

  /** Rows of no more values than these are those of models that caches hold. */
  int MOST_NARROW = 768;

  /** So many rows that were written meet weights of floats in one call, however they are cached. */
  int MOST_WRITTEN = 32;

  /** With more activation rows than these, values of several in one register gain. */
  int MOST_APART = 4;

  /** One number after another. */
  record Floats(FloatCode code) implements FormatCode {}

  /** 32 values under a scale, taken 64 at a time. */
  record Bytes(ShortBlockMatVec.Format code, AbreastCode.Format abreast) implements FormatCode {}

  /** 32 nibbles under a scale, some with a fifth bit. */
  record Nibbles(ShortBlockMatVec.Format code, AbreastCode.Format abreast) implements FormatCode {}

  /** 256 values in runs of so many under a scale. */
  record Runs(LongBlockMatVec.Format code, int run, AbreastCode.Format abreast)
      implements FormatCode {}

  static Optional<FormatCode> of(Encoding encoding) {
    return switch (encoding) {
      case F32 _ -> Optional.of(new Floats(FloatCode.F32));
      case F16 _ -> Optional.of(new Floats(FloatCode.F16));
      case BF16 _ -> Optional.of(new Floats(FloatCode.BF16));
      case Q8_0 _ -> Optional.of(new Bytes(Q8_0Code::new, Q8_0Abreast::new));
      case Q5_0 _ -> Optional.of(new Nibbles(FiveBitCode::q5_0, AbreastCode.NONE));
      case Q5_1 _ -> Optional.of(new Nibbles(FiveBitCode::q5_1, AbreastCode.NONE));
      case Q4_0 _ -> Optional.of(new Nibbles(NibbleCode::q4_0, NibbleAbreast::q4_0));
      case Q4_1 _ -> Optional.of(new Nibbles(NibbleCode::q4_1, NibbleAbreast::q4_1));
      case IQ4_NL _ -> Optional.of(new Nibbles(NibbleCode::iq4_nl, NibbleAbreast::iq4_nl));
      case MXFP4 _ -> Optional.of(new Nibbles(NibbleCode::mxfp4, NibbleAbreast::mxfp4));
      case Q2_K _ -> Optional.of(new Runs(Q2_KCode::new, 16, AbreastCode.NONE));
      case Q3_K _ -> Optional.of(new Runs(Q3_KCode::new, 16, AbreastCode.NONE));
      case Q4_K _ -> Optional.of(new Runs(Q4_KCode::new, 32, SixBitRunsAbreast::q4_K));
      case Q5_K _ -> Optional.of(new Runs(Q5_KCode::new, 32, SixBitRunsAbreast::q5_K));
      case Q6_K _ -> Optional.of(new Runs(Q6_KCode::new, 16, Q6_KAbreast::new));
      case IQ4_XS _ -> Optional.of(new Runs(IQ4_XSCode::new, 32, AbreastCode.NONE));
      default -> Optional.empty();
    };
  }

  /** How sixteen rows are taken abreast, where a level and a format have that form. */
  default AbreastCode.Format abreast(Isa isa) {
    if (!isa.includes(Isa.VNNI)) return AbreastCode.NONE;
    return switch (this) {
      case Floats _ -> AbreastCode.NONE;
      case Bytes(_, var abreast) -> abreast;
      case Nibbles(_, var abreast) -> abreast;
      case Runs(_, _, var abreast) -> abreast;
    };
  }

  /** Whether they are so with so many activation rows: where no tiles of AMX gain. */
  private boolean goesAbreast(Isa isa, long rows) {
    boolean leavesTiles = rows <= MOST_BEFORE_TILES || !meetsInTiles(isa);
    return abreast(isa) != AbreastCode.NONE && leavesTiles;
  }

  private int mostAbreast() {
    boolean gains = Walk.here() == Walk.NEIGHBOURS && !(this instanceof Nibbles);
    return gains ? MOST_NEIGHBOURS : MOST_ABREAST;
  }

  /**
   * Whether so many activation rows of so many values have a kernel that reads four streams.
   * Sixteen rows abreast are sixteen streams, which memory serves more slowly: one row wrote 0.83
   * to 0.93 of the tokens so on two Zen 4 cores, from 1,024 values on. Narrow models come from
   * caches, and there one row goes the way of a few, and has the same bits.
   */
  default boolean takesStreams(Isa isa, long rows, long k) {
    boolean isNarrow = goesAbreast(isa, rows) && k <= MOST_NARROW;
    return !isNarrow && (rows == 1 || rows == 2 && hasPairs(isa));
  }

  /**
   * Whether two activation rows may read four streams, too. From memory on two Zen 5 cores they
   * take 1.08 of the time of one in Q8_0 so and 1.33 abreast, 1.00 to 1.04 in Q6_K and 1.19; but
   * 1.20 to 1.30 in Q4_K and 1.05 to 1.18 abreast, and 1.21 in Q4_0 and 1.04.
   */
  private boolean hasPairs(Isa isa) {
    boolean gains = this instanceof Bytes || this instanceof Runs(_, var run, _) && run == 16;
    return gains && abreast(isa) != AbreastCode.NONE;
  }

  /**
   * Emits the kernel of one activation row against packed rows, or of two.
   *
   * @param tokens what {@link #takesStreams} allows
   */
  default void emitMatVec(KernelWriter w, String name, int tokens) {
    boolean wide = w.isa().vectorBits() == 512;
    switch (this) {
      case Floats(var code) -> FloatFewMatMul.emit(w, name, 1, code);
      case Bytes(var code, _) when wide -> FourBlockMatVec.emit(w, name, tokens, code);
      case Bytes(var code, _) -> ShortBlockMatVec.emit(w, name, code);
      case Nibbles(var code, _) when wide -> FourBlockMatVec.emit(w, name, 1, code);
      case Nibbles(var code, _) -> ShortBlockMatVec.emit(w, name, code);
      case Runs(var code, _, _) when wide -> LongBlockMatVec.emit(w, name, tokens, code);
      case Runs(var code, _, _) -> LongBlockRows.emit(w, name, 1, code);
    }
  }

  /** What a worker needs for itself, whichever kernel it runs. */
  int SCRATCH_BYTES =
      IntStream.of(
              MatMul.MOST_PANELS * Panel.SIZE,
              FewLayout.SIZE,
              LaneLayout.SIZE,
              AbreastLayout.SIZE,
              RowLayout.SIZE,
              AmxLayout.SIZE)
          .max()
          .getAsInt();

  /**
   * The size of the kernel of a few activation rows that should multiply so many: the measured
   * choice between it and the kernel of several, which zero stands for.
   *
   * @param k values in a row
   */
  default int few(Isa isa, long rows, long k) {
    if (goesAbreast(isa, rows)) {
      return rows <= mostAbreast() && AbreastLayout.takes(rows, k) ? AbreastLayout.turn(rows) : 0;
    }
    if (rows > most(isa)) return 0;
    return switch (this) {
      case Floats _ -> (int) rows;
      case Bytes _, Nibbles _, Runs _ -> {
        if (meetsInTiles(isa) && rows > MOST_BEFORE_TILES) {
          yield AmxFew.takes(k) ? AmxLayout.TOKENS : 0;
        }
        int size = Math.max(least(isa), Integer.highestOneBit(2 * (int) rows - 1));
        yield k <= FewLayout.MOST_VALUES ? size : 0;
      }
    };
  }

  /** Whether AMX's tiles gain: not with sixteen runs a block, each of which is a tile to store. */
  private boolean meetsInTiles(Isa isa) {
    return isa.includes(Isa.AMX)
        && switch (this) {
          case Floats _ -> false;
          case Bytes _, Nibbles _ -> true;
          case Runs(_, var run, _) -> run == ShortBlockCode.VALUES;
        };
  }

  /**
   * The size of the kernel of the fewest rows: of short blocks one that has a lane for each row, so
   * that rows are added up as in a panel. With AVX2 two rows of Q8_0 would take 1.7 times as long
   * so, as long as four, and that is too much for the same bits.
   */
  private int least(Isa isa) {
    return switch (this) {
      case Floats _, Runs _ -> 2;
      case Bytes _, Nibbles _ -> isa == Isa.AVX2 ? 2 : FewMatMul.LEAST_APART;
    };
  }

  /** The most activation rows that a kernel of a few takes. */
  private int most(Isa isa) {
    return switch (this) {
      case Floats _ -> FloatFewMatMul.most(isa);
      case Runs _ when isa == Isa.AVX2 -> LaneLayout.MOST_TOKENS;
      case Bytes _, Nibbles _, Runs _ -> FewMatMul.most(isa);
    };
  }

  /**
   * How many of so many activation rows a kernel should take at once: all, or equal parts of which
   * each has few. With AVX2 two parts of 16 rows took 0.82 of the time of 32 in Q4_K, 0.83 in Q6_K,
   * and four of eight 0.83 in Q8_0; nibbles under a scale are as fast together. With AMX's tiles
   * two parts of 16 took 0.8 to 0.95 of the time of 32.
   */
  default int atOnce(Isa isa, int rows, long k) {
    int gains = 0;
    if (meetsInTiles(isa)) {
      gains = 2 * AmxLayout.TOKENS;
    } else if (isa == Isa.AVX2 && !(this instanceof Nibbles)) {
      gains = MOST_IN_PARTS;
    }
    if (rows > gains || few(isa, most(isa), k) == 0) return rows;
    return Math.ceilDiv(rows, Math.ceilDiv(rows, most(isa)));
  }

  /**
   * Emits the kernel of a few activation rows against packed rows.
   *
   * @param size what {@link #few} says
   */
  default void emitFew(KernelWriter w, String name, int size) {
    if (goesAbreast(w.isa(), size)) {
      AbreastMatMul.emit(w, name, size, abreast(w.isa()), Walk.here());
      return;
    }
    switch (this) {
      case Floats(var code) -> FloatFewMatMul.emit(w, name, size, code);
      case Bytes(var code, _) -> emitFew(w, name, size, code::code);
      case Nibbles(var code, _) -> emitFew(w, name, size, code::code);
      case Runs(var code, _, _) when size <= MOST_APART -> LongBlockRows.emit(w, name, size, code);
      case Runs(var code, _, _) when w.isa() == Isa.AVX2 ->
          LongBlockLanes.emit(w, name, size, code);
      case Runs(var code, _, _) -> emitFew(w, name, size, code::code);
    }
  }

  private void emitFew(KernelWriter w, String name, int size, BlockCode.Format format) {
    if (meetsInTiles(w.isa()) && size > MOST_BEFORE_TILES) {
      AmxFew.emit(w, name, format);
    } else {
      FewMatMul.emit(w, name, size, format);
    }
  }

  /**
   * Whether a few activation rows are added up in another order than many, so that those that were
   * written meet the weights by themselves. Blocks come to whole numbers in either.
   */
  default boolean meetsApart() {
    return this instanceof Floats;
  }

  /** How many of so many rows that were written meet weights of floats at once: equal parts. */
  static int writtenAtOnce(int rows) {
    return Math.ceilDiv(rows, Math.ceilDiv(rows, MOST_WRITTEN));
  }

  /**
   * Whether activation rows of so many values that are read should meet the weights as words,
   * {@link WordRows}, whatever their number. Numbers of 16 bits lose no more of themselves so than
   * by what made them as short, and an instruction multiplies twice as many. Floats of 32 bits stay
   * what they are. With AVX-512 and no VNNI it takes two instructions, on as many ports as floats
   * have.
   */
  default boolean meetsAsWords(Isa isa, long k) {
    return hasWords() && isa != Isa.AVX512 && WordRows.takes(k);
  }

  /** Whether numbers have 16 bits, as words have. */
  default boolean hasWords() {
    return this instanceof Floats(var code) && code.bytes() == Short.BYTES;
  }

  /** Emits the kernel of several activation rows, as words, against rows of a format of floats. */
  default void emitWordMatMul(KernelWriter w, String name, WordScales scales, Optional<Fn> mapped) {
    if (!(this instanceof Floats(var code))) {
      throw new KernelException("only floats meet rows as words; ask hasWords() before");
    }
    var unpack = WordPanelUnpack.emit(w, code, scales);
    var tiles = tiles(WordTile.most(w.isa()), tokens -> WordTile.emit(w, tokens, scales, mapped));
    MatMul.emit(w, name, new MatMul.Meets.Words(), unpack, tiles);
  }

  /** Emits the kernel of several activation rows against packed rows. */
  default void emitMatMul(KernelWriter w, String name) {
    switch (this) {
      case Floats(var code) -> {
        var unpack = FloatPanelUnpack.emit(w, code);
        var tiles = tiles(FloatTile.most(w.isa()), tokens -> FloatTile.emit(w, tokens));
        MatMul.emit(w, name, new MatMul.Meets.Floats(), unpack, tiles);
      }
      case Bytes(var code, _) -> emitMatMul(w, name, code::code);
      case Nibbles(var code, _) -> emitMatMul(w, name, code::code);
      case Runs(var code, _, _) -> emitMatMul(w, name, code::code);
    }
  }

  private static void emitMatMul(KernelWriter w, String name, BlockCode.Format format) {
    var unpack = PanelUnpack.emit(w, format);
    var kind = unpack.kind();
    var tiles = tiles(Tile.most(w.isa()), tokens -> Tile.emit(w, kind, tokens));
    MatMul.emit(w, name, new MatMul.Meets.Bytes(kind), unpack.label(), tiles);
  }

  private static List<Label> tiles(int most, IntFunction<Label> tile) {
    var tiles = new ArrayList<Label>();
    for (int tokens = 1; tokens <= most; tokens++) {
      tiles.add(tile.apply(tokens));
    }
    return tiles;
  }
}
