package weft.cpu.kernel;

import static weft.cpu.kernel.GuardCases.size;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import weft.cpu.kernel.attention.AttendArguments;
import weft.cpu.kernel.attention.HeadSizes;
import weft.cpu.kernel.attention.KvStoreArguments;
import weft.cpu.kernel.attention.RopeAngles;
import weft.cpu.kernel.attention.RopeArguments;
import weft.cpu.kernel.attention.StoredPages;
import weft.cpu.kernel.emit.Kernel;
import weft.cpu.kernel.recurrent.DeltaRuleArguments;
import weft.cpu.kernel.recurrent.RecurrentPart;
import weft.cpu.kernel.recurrent.ShortConvArguments;
import weft.ir.Op;
import weft.quant.Encoding;
import weft.quant.Encodings;

/** Kernels over the state of sequences, and the turning of heads. */
final class GuardedState {
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /** Rows of a sequence, where they stand and what they see. */
  private record Part(int rows, int position, int window) {
    int firstSeen() {
      return Math.max(0, position - window + 1);
    }

    int end() {
      return position + rows;
    }
  }

  private static final List<Part> PARTS =
      List.of(
          new Part(1, 0, UNBOUNDED),
          new Part(1, 63, UNBOUNDED),
          new Part(1, 206, UNBOUNDED),
          new Part(3, 2, UNBOUNDED),
          new Part(17, 50, UNBOUNDED),
          new Part(1, 37, 23),
          new Part(1, 140, 70),
          new Part(4, 20, 9),
          new Part(70, 1000, 33));

  /** Heads of keys, queries of each, floats of keys and of values. */
  private record Heads(int kvHeads, int group, int splits, int keyDim, int valueDim) {
    int queries() {
      return kvHeads * group;
    }

    HeadSizes sizes() {
      return new HeadSizes(kvHeads, group, keyDim, valueDim);
    }
  }

  private static final List<Heads> HEADS =
      List.of(
          new Heads(1, 1, 1, 32, 32),
          new Heads(2, 3, 2, 64, 96),
          new Heads(2, 4, 1, 128, 128),
          new Heads(1, 7, 3, 256, 64));

  private GuardedState() {}

  static List<GuardCase> rope(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var pairing : Op.Pairing.values()) {
      for (int pairs : new int[] {1, 5, 16, 64}) {
        for (int more : new int[] {0, 3}) {
          cases.add(rope(library.rope(pairing), pairs, 2 * pairs + more));
        }
      }
    }
    return cases;
  }

  private static GuardCase rope(Kernel kernel, int pairs, int dim) {
    return new GuardCase(
        kernel.name(),
        size(pairs, "pairs of", dim),
        bench -> {
          int rows = 3;
          int heads = 2;
          var block = bench.block(RopeArguments.BYTES);
          new RopeArguments(
                  bench.rows(rows, heads, dim),
                  heads,
                  dim,
                  angles(bench, rows, pairs),
                  bench.outRows(rows, heads, dim))
              .write(block);
          bench.call(kernel, block, 0, rows * heads);
        });
  }

  private static RopeAngles angles(GuardBench bench, int rows, int pairs) {
    long count = (long) rows * pairs;
    return new RopeAngles(bench.floats(count), bench.floats(count), 4L * pairs, pairs, 1.1f);
  }

  private static StoredPages pages(Encoding encoding, Heads heads) {
    return new StoredPages(encoding, heads.kvHeads, heads.keyDim, heads.valueDim);
  }

  static List<GuardCase> store(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : Encodings.all()) {
      for (var pairing : Op.Pairing.values()) {
        var kernel = library.store(encoding, pairing);
        if (kernel.isEmpty()) continue;
        for (var heads : HEADS) {
          for (var part : PARTS) {
            for (int pairs : new int[] {0, 5, heads.keyDim / 2}) {
              cases.add(store(kernel.get(), encoding, heads, part, pairs));
            }
          }
        }
      }
    }
    return cases;
  }

  private static GuardCase store(
      Kernel kernel, Encoding encoding, Heads heads, Part part, int pairs) {
    return new GuardCase(
        kernel.name(),
        size(heads, part, pairs, "pairs"),
        bench -> {
          int rows = part.rows;
          var pages = pages(encoding, heads);
          var table =
              pages.of(bench::block, _ -> bench.out(pages.pageBytes()), part.position, part.end());
          var arguments =
              new KvStoreArguments(
                  bench.rows(rows, heads.queries(), heads.keyDim),
                  bench.rows(rows, heads.kvHeads, heads.keyDim),
                  bench.rows(rows, heads.kvHeads, heads.valueDim),
                  heads.sizes(),
                  pairs == 0 ? RopeAngles.NONE : angles(bench, rows, pairs),
                  0.125f,
                  pages.part(table, part.window, part.position),
                  bench.out(4L * rows * heads.queries() * heads.keyDim));
          var block = bench.block(KvStoreArguments.BYTES);
          arguments.write(block);
          bench.scratch(arguments.scratchBytes());
          bench.call(kernel, block, 0, (long) rows * heads.kvHeads);
        });
  }

  static List<GuardCase> attend(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : Encodings.all()) {
      addAttends(cases, library.attend(encoding), encoding, false);
    }
    return cases;
  }

  static List<GuardCase> attendMany(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (var encoding : Encodings.all()) {
      addAttends(cases, library.attendMany(encoding), encoding, true);
    }
    return cases;
  }

  private static void addAttends(
      List<GuardCase> cases, Optional<Kernel> kernel, Encoding encoding, boolean inBlocks) {
    if (kernel.isEmpty()) return;
    for (var heads : HEADS) {
      int most = AttendArguments.blockRows(heads.group, heads.splits);
      for (var part : PARTS) {
        int blockRows = inBlocks ? most : 1;
        // A block of one row is the other kernel's.
        if (inBlocks && blockRows == 1) continue;
        for (float cap : new float[] {0, 30}) {
          cases.add(attend(kernel.get(), encoding, heads, part, blockRows, cap));
        }
      }
    }
  }

  private static GuardCase attend(
      Kernel kernel, Encoding encoding, Heads heads, Part part, int blockRows, float cap) {
    return new GuardCase(
        kernel.name(),
        size(heads, part, "blocks of", blockRows, "cap", cap),
        bench -> {
          var pages = pages(encoding, heads);
          var table =
              pages.of(
                  bench::block,
                  _ -> stored(bench, encoding, pages.pageValues()),
                  part.firstSeen(),
                  part.end());
          var out = bench.outRows(part.rows, heads.queries(), heads.valueDim);
          var arguments =
              new AttendArguments(
                  bench.floats((long) part.rows * heads.queries() * heads.keyDim),
                  heads.sizes(),
                  heads.splits,
                  cap,
                  part.rows,
                  blockRows,
                  pages.part(table, part.window, part.position),
                  out.plain());
          var block = bench.block(AttendArguments.BYTES);
          arguments.write(block);
          bench.scratch(arguments.scratchBytes());
          bench.call(kernel, block, 0, arguments.units());
        });
  }

  private static MemorySegment stored(GuardBench bench, Encoding encoding, long values) {
    return encoding == Encodings.F32 ? bench.floats(values) : bench.packed(encoding.bytes(values));
  }

  static List<GuardCase> shortConv(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (int taps = 0; library.shortConv(taps).isPresent(); taps++) {
      for (int channels : new int[] {1, 9, 64, 131, 2048}) {
        cases.add(shortConv(library.shortConv(taps).get(), taps, channels));
      }
    }
    return cases;
  }

  private static GuardCase shortConv(Kernel kernel, int taps, int channels) {
    return new GuardCase(
        kernel.name(),
        size(channels, "channels"),
        bench -> {
          int[] rows = {1, 4};
          var x = bench.rows(5, 1, channels);
          var to = bench.outRows(5, 1, channels);
          var arguments =
              new ShortConvArguments(
                  x.memory(),
                  x.rowBytes(),
                  bench.floats((taps + 1L) * channels),
                  channels,
                  parts(bench, rows, (long) taps * channels, channels),
                  to.memory(),
                  to.rowBytes());
          var block = bench.block(ShortConvArguments.BYTES);
          arguments.write(block);
          bench.call(kernel, block, 0, arguments.units(rows.length));
        });
  }

  /** A part that goes on, and one that makes up for a draft and has another. */
  private static MemorySegment parts(
      GuardBench bench, int[] rows, long stateFloats, long keptFloats) {
    var table = bench.block(RecurrentPart.BYTES * rows.length);
    int first = 0;
    for (int i = 0; i < rows.length; i++) {
      int drafted = i;
      var state = bench.state(stateFloats);
      var kept = bench.state(drafted * keptFloats);
      new RecurrentPart(state, kept, drafted, first, rows[i], drafted).write(table, i);
      first += rows[i];
    }
    return table;
  }

  static List<GuardCase> deltaRule(KernelLibrary library) {
    var cases = new ArrayList<GuardCase>();
    for (int keyDim : new int[] {1, 5, 64, 128}) {
      for (int valueDim : new int[] {1, 7, 48, 77, 128}) {
        cases.add(deltaRule(library.deltaRule(), keyDim, valueDim));
      }
    }
    return cases;
  }

  private static GuardCase deltaRule(Kernel kernel, int keyDim, int valueDim) {
    return new GuardCase(
        kernel.name(),
        size(keyDim, "x", valueDim),
        bench -> {
          int[] rows = {1, 2};
          int[] keyHeads = {0, 1, 0, 1};
          int heads = keyHeads.length;
          var arguments =
              new DeltaRuleArguments(
                  bench.rows(3, 2, keyDim),
                  bench.rows(3, 2, keyDim),
                  bench.rows(3, heads, valueDim),
                  bench.rows(3, heads, 1),
                  bench.rows(3, heads, 1),
                  heads,
                  bench.integers(keyHeads),
                  keyDim,
                  valueDim,
                  parts(
                      bench,
                      rows,
                      (long) heads * keyDim * valueDim,
                      (long) heads * DeltaRuleArguments.keptFloats(keyDim, valueDim)),
                  bench.outRows(3, heads, valueDim));
          var block = bench.block(DeltaRuleArguments.BYTES);
          arguments.write(block);
          bench.scratch(arguments.scratchBytes());
          bench.call(kernel, block, 0, arguments.units(rows.length));
        });
  }
}
