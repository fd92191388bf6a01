package weft.cuda.product;

import static weft.cuda.ptx.Imm.imm;

import java.util.Locale;
import weft.cuda.driver.Driver.Grid;
import weft.cuda.ptx.Cache;
import weft.cuda.ptx.Compare;
import weft.cuda.ptx.Mem;
import weft.cuda.ptx.PtxFunction;
import weft.cuda.ptx.PtxWriter;
import weft.cuda.ptx.Special;
import weft.quant.Encoding;

/** Rows of a table as floats, by their numbers: embeddings. */
final class RowUnpack {
  private static final int THREADS = 128;

  private final RowLayout layout;
  private final PtxWriter w;
  private final int items;

  RowUnpack(Encoding encoding, int columns) {
    layout = RowLayout.of(encoding, columns);
    w = new PtxWriter("unpack_%s_%d".formatted(encoding.name().toLowerCase(Locale.ROOT), columns));
    items = layout.form().isPresent() ? layout.runs() : columns;
  }

  Grid grid(int rows) {
    return Grid.of(Math.ceilDiv(items, THREADS), rows, THREADS);
  }

  /** A thread takes a value that is a float, or a run that is packed. */
  PtxFunction function() {
    w.mostThreads(THREADS);
    var table = w.address("table");
    var ids = w.address("ids");
    var y = w.address("y");
    var stride = w.word("y_stride");
    var rows = w.word("rows");
    var row = w.called("row").read(Special.CTAID_Y);
    var item = w.called("item").mad(w.read(Special.CTAID_X), imm(THREADS), w.read(Special.TID_X));
    var isThere = w.isUnsigned(Compare.LT, item, imm(items));
    w.when(
        w.and(isThere, w.isUnsigned(Compare.LT, row, rows)),
        () -> {
          var id = w.load(Mem.global(w.madWide(row, imm(4), ids)), Cache.READ_ONLY);
          var from = w.madWide(id, imm(layout.rowBytes()), table);
          var target = w.madWide(w.mul(row, stride), imm(Float.BYTES), y);
          if (layout.form().isPresent()) {
            var code = new RunCode(w, layout);
            var values = code.values(code.take(code.load(from, item)));
            var at = Mem.global(w.madWide(item, imm(PackedForm.RUN * Float.BYTES), target));
            for (int i = 0; i < PackedForm.RUN; i++) {
              w.store(at.plus(i * Float.BYTES), values.get(i));
            }
          } else {
            var at = Mem.global(w.madWide(item, imm(layout.floats().bytes()), from));
            var value =
                switch (layout.floats()) {
                  case F32 -> w.loadReal(at, Cache.READ_ONLY);
                  case F16 -> w.toReal(w.loadHalf(at, Cache.READ_ONLY));
                  case BF16 -> w.lowBfloat(w.loadShort(at, Cache.READ_ONLY));
                };
            w.store(Mem.global(w.madWide(item, imm(Float.BYTES), target)), value);
          }
        });
    return w.function();
  }
}
