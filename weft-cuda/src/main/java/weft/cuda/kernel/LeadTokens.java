package weft.cuda.kernel;

import static weft.cuda.ptx.Imm.imm;

import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Special;

/**
 * The first {@link Leaders} of some rows as a list of tokens, a thread a row, so that a step can be
 * told whose tokens nobody knows yet. What is none, of a row that is not finite, becomes the last
 * token that there is: kernels go where tokens say without asking again.
 */
public record LeadTokens() {
  public static final int THREADS = 128;

  /** Parameters: the tokens, the leaders, how many rows there are, the last token. */
  public PtxFunction kernel() {
    var w = new PtxWriter("lead_tokens");
    w.mostThreads(THREADS);
    var tokens = w.address("tokens");
    var leaders = w.address("leaders");
    var count = w.word("count");
    var last = w.word("last");
    var i = w.called("i").mad(w.read(Special.CTAID_X), imm(THREADS), w.read(Special.TID_X));
    w.exitWhen(w.isUnsigned(Compare.GE, i, count));
    var leader = w.load(Mem.global(w.madWide(i, imm(Leaders.BYTES), leaders)));
    w.store(Mem.global(w.madWide(i, imm(Integer.BYTES), tokens)), w.minUnsigned(leader, last));
    return w.function();
  }
}
