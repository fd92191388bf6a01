package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.KMOVW;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.List;
import weft.cpu.asm.CoreCache;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.format.BlockCode;

/**
 * Several activation rows against packed rows: a {@link Panel} of 32 rows is unpacked once and
 * meets all tokens, a {@link Tile} of them at a time, while it is in cache. Where the core's second
 * cache has room, many tokens meet a group of panels, a tile of them one after the other: rows of
 * tokens that only the third cache holds come from there once for all of those.
 *
 * <p>A tile's results are written once all values of the rows are met, with what is to be added to
 * them: a pass over them behind the products would find each row in another page of memory.
 *
 * <p>A share may begin and end anywhere; where less than 32 rows are left, the last one stands in
 * for those behind it and masks keep the results of the others unwritten.
 */
public final class MatMul {
  /** What the kernel keeps on its stack: of the panel at hand its first row and its scratch. */
  private static final int ROW = 0;

  private static final int END = 8;
  private static final int SCRATCH = 16;
  private static final int K_DONE = 24;
  private static final int K_NOW = 32;
  private static final int TOKENS = 40;
  private static final int TOKEN_X = 48;
  private static final int TOKEN_OUT = 56;
  private static final int TILE = 64;
  private static final int CALLERS_STACK = 72;

  /** Not zero where the values at hand are the last and something is added to their products. */
  private static final int ADDS = 80;

  /** What is added to the first of all rows of the tile's first token. */
  private static final int RESIDUAL = 88;

  /** What is added to the rows of the tile at hand. */
  private static final int TILE_BIAS = 96;

  private static final int TILE_RESIDUAL = 104;

  /** The rows of the group of panels at hand, and where the first of it has its scratch. */
  private static final int GROUP = 112;

  private static final int GROUP_END = 120;
  private static final int GROUP_SCRATCH = 128;
  private static final int STACK = 136;

  /** The stack is at the beginning of a line of the cache. */
  static final int LINE = 64;

  /** What the panel meets: bytes for a kind of block formats, words, or floats. */
  sealed interface Meets {
    record Bytes(Tile.Kind kind) implements Meets {}

    record Words() implements Meets {}

    record Floats() implements Meets {}
  }

  /** Fewer tokens are in the second cache themselves, and a panel's memory comes beside them. */
  static final int MANY_TOKENS = 512;

  /** The panels of a group at the most. */
  static final int MOST_PANELS = 4;

  private final KernelWriter w;
  private final Meets meets;
  private final Label unpack;
  private final List<Label> tiles;

  /** The panels of a group: half of the second cache. */
  private final int panels =
      Math.clamp(CoreCache.SECOND.bytes() / (2 * Panel.UNPACKED), 1, MOST_PANELS);

  private MatMul(KernelWriter w, Meets meets, Label unpack, List<Label> tiles) {
    this.w = w;
    this.meets = meets;
    this.unpack = unpack;
    this.tiles = tiles;
  }

  /**
   * @param unpack the function that fills the panel
   * @param tiles the functions for one token, two, and so on
   */
  static void emit(KernelWriter w, String name, Meets meets, Label unpack, List<Label> tiles) {
    w.begin(name);
    new MatMul(w, meets, unpack, tiles).emit();
    w.end();
  }

  private static Mem kept(int place) {
    return at(RSP, place).sized(64);
  }

  /** What {@link TileResults} finds on the stack, behind where a tile returns to. */
  static Mem adds() {
    return inTile(ADDS);
  }

  /** How many values of the rows earlier panels have met. */
  static Mem valuesMet() {
    return inTile(K_DONE);
  }

  static Mem tileBias() {
    return inTile(TILE_BIAS);
  }

  static Mem tileResidual() {
    return inTile(TILE_RESIDUAL);
  }

  private static Mem inTile(int place) {
    return at(RSP, Long.BYTES + place).sized(64);
  }

  private int depth() {
    return switch (meets) {
      case Meets.Bytes _ -> Panel.DEPTH;
      case Meets.Words _ -> Panel.WORD_DEPTH;
      case Meets.Floats _ -> Panel.FLOAT_DEPTH;
    };
  }

  private boolean isWide() {
    return w.isa().vectorBits() == 512;
  }

  private void emit() {
    var group = w.label("group");
    var depth = w.label("depth");
    var done = w.label("done");
    w.op(MOV, RAX, RSP);
    w.op(SUB, RSP, imm(STACK));
    w.op(AND, RSP, imm(-LINE));
    w.op(MOV, kept(CALLERS_STACK), RAX);
    w.op(MOV, kept(GROUP), FROM);
    w.op(MOV, kept(END), TO);
    w.op(MOV, kept(GROUP_SCRATCH), KernelWriter.SCRATCH);
    BlockCode.masks(w);
    w.bind(group);
    w.op(MOV, RAX, kept(GROUP));
    w.op(MOV, RDX, kept(END));
    w.op(CMP, RAX, RDX);
    w.op(JGE, done);
    groupEnd();
    panels("pointers", this::rows);
    w.op(MOV, kept(K_DONE), imm(0));
    w.bind(depth);
    w.op(MOV, RDX, at(ARGUMENTS, MatMulArguments.K));
    w.op(SUB, RDX, kept(K_DONE));
    w.op(MOV, RAX.d(), imm(depth()));
    w.op(CMP, RDX, RAX);
    w.op(CMOVG, RDX, RAX);
    w.op(MOV, kept(K_NOW), RDX);
    panels(
        "unpacked",
        () -> {
          w.op(MOV, RDX, kept(K_NOW));
          w.op(MOV, RCX, kept(SCRATCH));
          w.op(CALL, unpack);
        });
    tokens();
    w.op(MOV, RAX, kept(K_DONE));
    w.op(ADD, RAX, kept(K_NOW));
    w.op(MOV, kept(K_DONE), RAX);
    w.op(CMP, RAX, at(ARGUMENTS, MatMulArguments.K));
    w.op(JL, depth);
    w.op(MOV, RAX, kept(GROUP_END));
    w.op(MOV, kept(GROUP), RAX);
    w.op(JMP, group);
    w.bind(done);
    w.op(MOV, RSP, kept(CALLERS_STACK));
  }

  /** Where the group ends that begins in rax, of rows that end in rdx. */
  private void groupEnd() {
    w.op(LEA, RCX, at(RAX, Panel.ROWS));
    if (panels > 1) {
      w.op(ADD, RAX, imm(Panel.ROWS * panels));
      w.op(CMP, at(ARGUMENTS, MatMulArguments.TOKENS).sized(64), imm(MANY_TOKENS));
      w.op(CMOVGE, RCX, RAX);
    }
    w.op(CMP, RCX, RDX);
    w.op(CMOVG, RCX, RDX);
    w.op(MOV, kept(GROUP_END), RCX);
  }

  /** Code for each panel of the group, whose row and scratch are kept meanwhile. */
  private void panels(String name, Runnable panel) {
    var next = w.label(name);
    w.op(MOV, RAX, kept(GROUP));
    w.op(MOV, kept(ROW), RAX);
    w.op(MOV, RAX, kept(GROUP_SCRATCH));
    w.op(MOV, kept(SCRATCH), RAX);
    w.bind(next);
    panel.run();
    w.op(ADD, kept(SCRATCH), imm(Panel.SIZE));
    w.op(MOV, RAX, kept(ROW));
    w.op(ADD, RAX, imm(Panel.ROWS));
    w.op(MOV, kept(ROW), RAX);
    w.op(CMP, RAX, kept(GROUP_END));
    w.op(JL, next);
  }

  /** The panel's first row in rax, and in rdx how many it has. */
  private void count() {
    w.op(MOV, RAX, kept(ROW));
    w.op(MOV, RDX, kept(END));
    w.op(SUB, RDX, RAX);
    w.op(MOV, RCX.d(), imm(Panel.ROWS));
    w.op(CMP, RDX, RCX);
    w.op(CMOVG, RDX, RCX);
  }

  /** The masks of a tile as wide as the panel. */
  private void masks() {
    if (!isWide()) return;
    count();
    w.op(MOV, RAX.d(), imm(-1));
    w.op(BZHI, RAX.d(), RAX.d(), RDX.d());
    w.op(KMOVW, Tile.LOWER_ROWS, RAX.d());
    w.op(SHR, RAX.d(), imm(16));
    w.op(KMOVW, Tile.UPPER_ROWS, RAX.d());
  }

  /** The panel's row pointers, and the masks of narrow tiles. */
  private void rows() {
    var next = w.label("pointer");
    count();
    w.op(MOV, RBX, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    w.op(IMUL, RAX, RBX);
    w.op(ADD, RAX, at(ARGUMENTS, MatMulArguments.WEIGHTS));
    w.op(MOV, R8, kept(SCRATCH));
    w.op(LEA, R10, at(R8, Panel.MASKS));
    w.op(XOR, R9.d(), R9.d());
    w.op(MOV, R11.d(), imm(-1));
    w.bind(next);
    w.op(MOV, at(R8, Panel.POINTERS), RAX);
    w.op(MOV, at(R10), R11.d());
    w.op(DEC, RDX);
    w.note("the last row stands in for those behind it");
    w.op(CMOVLE, RBX, R9);
    w.op(CMOVLE, R11, R9);
    w.op(ADD, RAX, RBX);
    w.op(ADD, R8, imm(8));
    w.op(ADD, R10, imm(4));
    w.op(DEC, RCX);
    w.op(JNE, next);
  }

  /** All tokens against the panels; as many as a tile holds, the last ones in equal parts. */
  private void tokens() {
    var more = w.label("more");
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.TOKENS));
    w.op(MOV, kept(TOKENS), RAX);
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, kept(TOKEN_X), RAX);
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.OUT));
    w.op(MOV, kept(TOKEN_OUT), RAX);
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.RESIDUAL));
    w.op(MOV, kept(RESIDUAL), RAX);
    whetherAdds();
    w.bind(more);
    size();
    panels("met", this::tile);
    w.op(MOV, RAX, kept(TILE));
    w.op(SUB, kept(TOKENS), RAX);
    w.op(MOV, RCX, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.op(IMUL, RCX, RAX);
    w.op(ADD, kept(TOKEN_X), RCX);
    w.op(IMUL, RAX, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
    w.op(ADD, kept(TOKEN_OUT), RAX);
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.RESIDUAL_BYTES));
    w.op(IMUL, RAX, kept(TILE));
    w.op(ADD, kept(RESIDUAL), RAX);
    w.op(CMP, kept(TOKENS), imm(0));
    w.op(JG, more);
  }

  /** A tile of tokens against a panel. */
  private void tile() {
    ask();
    masks();
    operands(false);
    call();
    if (Tile.rows(w.isa()) < Panel.ROWS) {
      // A tile is narrower than the panel: the rest of its rows come in a second round.
      operands(true);
      call();
    }
  }

  /** Whether anything is added to products by now. */
  private void whetherAdds() {
    var sums = w.label("sums");
    w.op(XOR, RCX.d(), RCX.d());
    w.op(MOV, RAX, kept(K_DONE));
    w.op(ADD, RAX, kept(K_NOW));
    w.op(CMP, RAX, at(ARGUMENTS, MatMulArguments.K));
    w.op(JL, sums);
    w.op(MOV, RCX, at(ARGUMENTS, MatMulArguments.ADDS));
    w.bind(sums);
    w.op(MOV, kept(ADDS), RCX);
  }

  /** Asks for the lines of the residual that the tile ends with. */
  private void ask() {
    var token = w.label("ask");
    var none = w.label("asked");
    w.op(CMP, kept(ADDS), imm(0));
    w.op(JE, none);
    w.op(MOV, RAX, kept(ROW));
    w.op(SHL, RAX, imm(2));
    w.op(ADD, RAX, kept(RESIDUAL));
    w.op(MOV, RCX, kept(TILE));
    w.bind(token);
    w.op(PREFETCHT1, at(RAX));
    w.op(PREFETCHT1, at(RAX, Float.BYTES * Panel.ROWS - 1));
    w.op(ADD, RAX, at(ARGUMENTS, MatMulArguments.RESIDUAL_BYTES));
    w.op(DEC, RCX);
    w.op(JNE, token);
    w.bind(none);
  }

  /** Keeps the size of the next tile: the most, or half of what two tiles hold, or the rest. */
  private void size() {
    var sized = w.label("sized");
    int most = tiles.size();
    w.op(MOV, RAX, kept(TOKENS));
    w.op(CMP, RAX, imm(most));
    w.op(JLE, sized);
    w.op(INC, RAX);
    w.op(SHR, RAX, imm(1));
    w.op(MOV, RCX.d(), imm(most));
    w.op(CMP, RAX, RCX);
    w.op(CMOVG, RAX, RCX);
    w.bind(sized);
    w.op(MOV, kept(TILE), RAX);
  }

  private void operands(boolean upperRows) {
    w.op(MOV, Tile.BLOCKS, kept(K_NOW));
    switch (meets) {
      case Meets.Bytes(var kind) -> {
        activations(kind);
        w.op(SHR, Tile.BLOCKS, imm(5));
      }
      case Meets.Words _ -> {
        words();
        w.op(ADD, Tile.BLOCKS, imm(WordRows.HALF - 1));
        w.op(SHR, Tile.BLOCKS, imm(Integer.numberOfTrailingZeros(WordRows.HALF)));
      }
      case Meets.Floats _ -> {
        w.op(MOV, RCX, kept(K_DONE));
        w.op(MOV, Tile.GOES_ON, RCX);
        w.op(MOV, Tile.X, kept(TOKEN_X));
        w.op(LEA, Tile.X, at(Tile.X, RCX, 4));
      }
    }
    w.op(MOV, Tile.X_STEP, at(ARGUMENTS, MatMulArguments.X_BYTES));
    int offset = upperRows ? Float.BYTES * Tile.rows(w.isa()) : 0;
    w.op(MOV, R9, kept(ROW));
    w.op(SHL, R9, imm(2));
    w.op(ADD, R9, imm(offset));
    w.op(MOV, Tile.OUT, kept(TOKEN_OUT));
    w.op(ADD, Tile.OUT, R9);
    w.op(MOV, RCX, at(ARGUMENTS, MatMulArguments.BIAS));
    w.op(ADD, RCX, R9);
    w.op(MOV, kept(TILE_BIAS), RCX);
    w.op(ADD, R9, kept(RESIDUAL));
    w.op(MOV, kept(TILE_RESIDUAL), R9);
    w.op(MOV, R9, kept(SCRATCH));
    w.op(LEA, Tile.BYTES, at(R9, Panel.BYTES + offset));
    w.op(LEA, Tile.SCALES, at(R9, Panel.SCALES + offset));
    w.op(LEA, Tile.MINIMUMS, at(R9, Panel.MINIMUMS + offset));
    if (!isWide()) {
      w.op(LEA, Tile.MASKS, at(R9, Panel.MASKS + offset));
    }
    w.op(MOV, Tile.OUT_STEP, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
  }

  /** Where the parts of a token's bytes are, from rax, k', and rcx, the values met before. */
  private void activations(Tile.Kind kind) {
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.K));
    w.op(ADD, RAX, imm(Activations.PADDING - 1));
    w.op(AND, RAX, imm(-Activations.PADDING));
    w.op(MOV, RCX, kept(K_DONE));
    w.op(MOV, Tile.GOES_ON, RCX);
    w.op(MOV, R9, kept(TOKEN_X));
    w.op(LEA, Tile.X, at(R9, RCX, 1));
    w.op(ADD, R9, RAX);
    w.op(SHR, RAX, imm(3));
    w.op(IMUL, Tile.X_SUM, RAX, imm(kind.sums().eighths()));
    w.op(ADD, Tile.X_SUM, R9);
    w.op(MOV, RAX, RCX);
    w.op(SHR, RAX, imm(3));
    w.op(LEA, Tile.X_SCALE, at(R9, RAX, 1));
    w.op(SHR, RCX, imm(Integer.numberOfTrailingZeros(kind.sums().valuesPerByte())));
    w.op(ADD, Tile.X_SUM, RCX);
  }

  /** Where the parts of a token's words are. */
  private void words() {
    w.op(MOV, RCX, kept(K_DONE));
    w.op(MOV, Tile.GOES_ON, RCX);
    w.op(MOV, R9, kept(TOKEN_X));
    w.op(LEA, Tile.X, at(R9, RCX, Short.BYTES));
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.K));
    w.op(ADD, RAX, imm(WordRows.HALF - 1));
    w.op(AND, RAX, imm(-WordRows.HALF));
    w.op(LEA, Tile.X_SCALE, at(R9, RAX, Short.BYTES));
    w.op(SHR, RCX, imm(Integer.numberOfTrailingZeros(WordRows.BLOCK / Float.BYTES)));
    w.op(ADD, Tile.X_SCALE, RCX);
  }

  private void call() {
    var met = w.label("met");
    for (int size = 1; size < tiles.size(); size++) {
      var other = w.label("not" + size);
      w.op(CMP, kept(TILE), imm(size));
      w.op(JNE, other);
      w.op(CALL, tiles.get(size - 1));
      w.op(JMP, met);
      w.bind(other);
    }
    w.op(CALL, tiles.getLast());
    w.bind(met);
  }
}
