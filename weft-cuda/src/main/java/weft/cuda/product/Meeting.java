package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.wide;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Special;

/**
 * Where blocks of a launch that have parts of the same sums leave them: the last one to come adds
 * all up, in the order of the parts, so that a sum does not depend on who came when. Nobody waits
 * for a block that has not begun.
 *
 * @param bytes of the parts
 * @param counters words that are zero before a launch, and again behind it
 */
public record Meeting(long bytes, int counters) {
  /** Fours of a lane's sums that are on their way at once. */
  private static final int AT_ONCE = 16;

  private static final int FOUR_BYTES = 4 * Float.BYTES;

  public static final Meeting NONE = new Meeting(0, 0);

  /**
   * Of a launch of so many groups of rows of activations.
   *
   * @param fours that each thread of a block leaves
   */
  static Meeting of(RowSplit split, int groups, int fours, int threads) {
    if (!split.isShared()) return NONE;
    int counters = split.blocks() * groups;
    return new Meeting((long) counters * split.parts() * fours * threads * FOUR_BYTES, counters);
  }

  /** What a kernel whose blocks meet is launched with behind all else. */
  record Code(PtxWriter w, B64 parts, B64 counters) {
    /** Where blocks meet. */
    static Optional<Code> declare(PtxWriter w, RowSplit split) {
      if (!split.isShared()) return Optional.empty();
      return Optional.of(new Code(w, w.address("parts"), w.address("counters")));
    }

    /**
     * Leaves the sums of a part, which {@code CTAID_X} is the number of, and has the last block go
     * on with those of all; the others end.
     *
     * @param memory of the block, which it needs no more
     * @param sums four and four
     */
    void join(RowSplit split, int threads, B32 thread, B32 memory, List<List<F32>> sums) {
      w.note("the block's part, for the one that comes last");
      var meeting = w.mad(w.read(Special.CTAID_Z), imm(split.blocks()), w.read(Special.CTAID_Y));
      int fours = sums.size();
      int fourBytes = threads * FOUR_BYTES;
      var all = w.madWide(w.mul(meeting, imm(split.parts())), imm(fours * fourBytes), parts);
      var first = w.called("parts_of_all").madWide(thread, imm(FOUR_BYTES), all);
      var mine = w.madWide(w.read(Special.CTAID_X), imm(fours * fourBytes), first);
      for (int i = 0; i < fours; i++) {
        w.storeForAll(Mem.global(mine).plus(i * fourBytes), sums.get(i));
      }
      w.barrier();
      // Whatever the block had there is read.
      var flag = Mem.shared(memory);
      var counter = Mem.global(w.madWide(meeting, imm(Integer.BYTES), counters));
      w.when(
          w.is(Compare.EQ, thread, imm(0)),
          () -> {
            w.fence();
            var before = w.atomicAdd(counter, imm(1));
            var isLast = w.is(Compare.EQ, before, imm(split.parts() - 1));
            w.fence();
            w.store(flag, w.select(isLast, imm(1), imm(0)));
            w.guarded(isLast, () -> w.store(counter, imm(0)));
          });
      w.barrier();
      w.exitWhen(w.is(Compare.EQ, w.load(flag), imm(0)));
      var at = w.called("part").mov(first);
      int together = Math.max(1, AT_ONCE / fours);
      int begun = (split.parts() - 1) % together + 1;
      read(at, fourBytes, begun, sums, true);
      w.count(
          "read",
          imm(begun),
          imm(split.parts()),
          imm(together),
          _ -> read(at, fourBytes, together, sums, false));
    }

    /** Reads some parts and goes on to the next. */
    private void read(B64 at, int fourBytes, int count, List<List<F32>> sums, boolean areFirst) {
      int partBytes = sums.size() * fourBytes;
      var read = new ArrayList<List<F32>>();
      for (int part = 0; part < count; part++) {
        for (int i = 0; i < sums.size(); i++) {
          read.add(w.loadOfAll(Mem.global(at).plus(part * partBytes + i * fourBytes)));
        }
      }
      for (int i = 0; i < read.size(); i++) {
        for (int j = 0; j < 4; j++) {
          var sum = sums.get(i % sums.size()).get(j);
          if (areFirst && i < sums.size()) w.into(sum).mov(read.get(i).get(j));
          else w.into(sum).add(sum, read.get(i).get(j));
        }
      }
      w.into(at).add(at, wide(count * partBytes));
    }
  }
}
