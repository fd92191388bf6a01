package weft.cuda.ptx;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import weft.cuda.ptx.Operand.Place;
import weft.cuda.ptx.Operand.Real;
import weft.cuda.ptx.Operand.Vector;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.Reg.B16;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;

/** Loads, stores, copies behind the thread's back, and what several threads may add to. */
sealed interface MemoryCode extends Code permits PtxWriter {
  private <R extends Operand> R one(String type, R to, Mem from, Cache cache) {
    op("ld." + from.space().word() + cache.suffix() + "." + type, to, new Place(from));
    return to;
  }

  private <R extends Operand> List<R> several(
      String type, int count, Supplier<R> register, Mem from, Cache cache) {
    var to = Stream.generate(register).limit(count).toList();
    var mnemonic = "ld." + from.space().word() + cache.suffix() + ".v" + count + "." + type;
    op(mnemonic, new Vector(to), new Place(from));
    return to;
  }

  default B32 load(Mem from) {
    return load(from, Cache.PLAIN);
  }

  default B32 load(Mem from, Cache cache) {
    return one("b32", b32(), from, cache);
  }

  default F32 loadReal(Mem from) {
    return loadReal(from, Cache.PLAIN);
  }

  default F32 loadReal(Mem from, Cache cache) {
    return one("f32", f32(), from, cache);
  }

  default B64 loadWide(Mem from) {
    return loadWide(from, Cache.PLAIN);
  }

  default B64 loadWide(Mem from, Cache cache) {
    return one("b64", b64(), from, cache);
  }

  default B16 loadHalf(Mem from, Cache cache) {
    return one("b16", b16(), from, cache);
  }

  /** 16 bits, unsigned, in a word. */
  default B32 loadShort(Mem from, Cache cache) {
    return one("u16", b32(), from, cache);
  }

  /** A byte, unsigned, in a word. */
  default B32 loadByte(Mem from, Cache cache) {
    return one("u8", b32(), from, cache);
  }

  /** A byte, signed, in a word. */
  default B32 loadSignedByte(Mem from, Cache cache) {
    return one("s8", b32(), from, cache);
  }

  /** Two or four words at a multiple of their size. */
  default List<B32> loadWords(int count, Mem from, Cache cache) {
    return several("b32", count, this::b32, from, cache);
  }

  /** Two or four floats at a multiple of their size. */
  default List<F32> loadReals(int count, Mem from, Cache cache) {
    return several("f32", count, this::f32, from, cache);
  }

  private void put(Mem to, String type, Operand from) {
    op("st." + to.space().word() + "." + type, new Place(to), from);
  }

  default void store(Mem to, Word a) {
    put(to, "b32", a);
  }

  default void store(Mem to, Real a) {
    put(to, "f32", a);
  }

  default void store(Mem to, B64 a) {
    put(to, "b64", a);
  }

  default void store(Mem to, B16 a) {
    put(to, "b16", a);
  }

  /** The lower 16 bits of a word. */
  default void storeShort(Mem to, B32 a) {
    put(to, "u16", a);
  }

  /** The lowest byte of a word. */
  default void storeByte(Mem to, B32 a) {
    put(to, "u8", a);
  }

  default void storeWords(Mem to, List<B32> words) {
    put(to, "v" + words.size() + ".b32", new Vector(words));
  }

  default void storeReals(Mem to, List<F32> reals) {
    put(to, "v" + reals.size() + ".f32", new Vector(reals));
  }

  /** The word before; the sum goes to memory at once. */
  default B32 atomicAdd(Mem to, Word a) {
    var before = b32();
    op("atom." + to.space().word() + ".add.u32", before, new Place(to), a);
    return before;
  }

  default F32 atomicAdd(Mem to, F32 a) {
    var before = f32();
    op("atom." + to.space().word() + ".add.f32", before, new Place(to), a);
    return before;
  }

  /** The greater of both, unsigned, goes to memory at once. */
  default B32 atomicMaxUnsigned(Mem to, Word a) {
    var before = b32();
    op("atom." + to.space().word() + ".max.u32", before, new Place(to), a);
    return before;
  }

  /** {@code value} goes to memory if {@code expected} is there; what was there. */
  default B32 atomicSwapIf(Mem to, Word expected, Word value) {
    var before = b32();
    op("atom." + to.space().word() + ".cas.b32", before, new Place(to), expected, value);
    return before;
  }

  /** A word that is read after all that its writer had written before it. */
  default B32 loadAcquire(Mem from) {
    var to = b32();
    op("ld.acquire.gpu." + from.space().word() + ".u32", to, new Place(from));
    return to;
  }

  /** Adds to a word for others to see after all that this thread wrote. */
  default void addRelease(Mem to, Word a) {
    op("red.release.gpu." + to.space().word() + ".add.u32", new Place(to), a);
  }

  /** Two or four floats for other blocks of this launch, once a {@link #fence} has been met. */
  default void storeForAll(Mem to, List<F32> reals) {
    var mnemonic = "st.relaxed.gpu." + to.space().word() + ".v" + reals.size() + ".f32";
    op(mnemonic, new Place(to), new Vector(reals));
  }

  /** Four floats that another block of this launch may have written. */
  default List<F32> loadOfAll(Mem from) {
    var to = Stream.generate(this::f32).limit(4).toList();
    op("ld.relaxed.gpu." + from.space().word() + ".v4.f32", new Vector(to), new Place(from));
    return to;
  }

  /** Orders this thread's accesses for the whole device. */
  default void fence() {
    op("fence.acq_rel.gpu");
  }

  /** Starts a copy of 16 bytes into shared memory; {@link #waitCopies} says when it is there. */
  default void copy16(Mem to, Mem from) {
    op("cp.async.cg.shared.global", new Place(to), new Place(from), Imm.imm(16));
  }

  /** The same of {@code bytes}, 0 to 16, with zeros behind them. */
  default void copy16(Mem to, Mem from, B32 bytes) {
    op("cp.async.cg.shared.global", new Place(to), new Place(from), Imm.imm(16), bytes);
  }

  /** The copies begun so far are a group. */
  default void commitCopies() {
    op("cp.async.commit_group");
  }

  /** Waits for all groups of this thread but the newest {@code pending}. */
  default void waitCopies(int pending) {
    op("cp.async.wait_group", Imm.imm(pending));
  }
}
