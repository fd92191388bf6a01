package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;

import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Special;

/** Writes words of 64 bits here and there: a thread a word, which comes behind its address. */
public record PutWords() {
  public static final int THREADS = 128;

  /** An address and a word. */
  public static final int BYTES = 2 * Long.BYTES;

  /** Parameters: addresses and words, how many there are. */
  public PtxFunction kernel() {
    var w = new PtxWriter("put_words");
    w.mostThreads(THREADS);
    var words = w.address("words");
    var count = w.word("count");
    var i = w.called("i").mad(w.read(Special.CTAID_X), imm(THREADS), w.read(Special.TID_X));
    w.exitWhen(w.isUnsigned(Compare.GE, i, count));
    var from = Mem.global(w.madWide(i, imm(BYTES), words));
    w.store(Mem.global(w.loadWide(from)), w.loadWide(from.plus(Long.BYTES)));
    return w.function();
  }
}
