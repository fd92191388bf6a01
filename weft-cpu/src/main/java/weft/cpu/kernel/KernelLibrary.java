package weft.cpu.kernel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.Code;
import weft.cpu.asm.CodeMemory;
import weft.cpu.asm.Isa;
import weft.cpu.asm.Label;
import weft.ir.Fn;
import weft.quant.BF16;
import weft.quant.Encoding;
import weft.quant.F16;
import weft.quant.F32;
import weft.quant.IQ4_NL;
import weft.quant.IQ4_XS;
import weft.quant.MXFP4;
import weft.quant.Q4_0;
import weft.quant.Q4_K;
import weft.quant.Q5_K;
import weft.quant.Q6_K;
import weft.quant.Q8_0;

/** Owns the emitted kernels of one instruction set level, and must be closed after its users. */
public final class KernelLibrary implements AutoCloseable {
  /** What a worker needs for itself while it multiplies matrices. */
  public static final long SCRATCH_BYTES = Panel.SIZE;

  private final CodeMemory memory;
  private final Isa isa;

  private KernelLibrary(CodeMemory memory, Isa isa) {
    this.memory = memory;
    this.isa = isa;
  }

  /** Emits and loads all kernels for a level that this machine has. */
  public static KernelLibrary open(Isa isa) {
    var assembler = new Assembler();
    var w = new KernelWriter(assembler, isa);
    Quantize.emit(w);
    ShortBlockMatVec.emit(w, "matvec.Q8_0", Q8_0Code::new);
    nibbles(w, "matvec.Q4_0", NibbleCode::q4_0);
    nibbles(w, "matvec.IQ4_NL", NibbleCode::iq4_nl);
    nibbles(w, "matvec.MXFP4", NibbleCode::mxfp4);
    runs(w, "matvec.Q4_K", Q4_KCode::new);
    runs(w, "matvec.Q5_K", Q5_KCode::new);
    runs(w, "matvec.Q6_K", Q6_KCode::new);
    runs(w, "matvec.IQ4_XS", IQ4_XSCode::new);
    for (var code : FloatCode.values()) {
      FloatMatVec.emit(w, "matvec." + code, code);
    }
    RowNorm.emit(w);
    Finish.emit(w);
    if (isa.includes(Isa.AVX512)) {
      for (var kind : Attend.Kind.values()) Attend.emit(w, kind);
    }
    var products = new Products(w);
    products.emit("Q8_0", Q8_0Code::new);
    products.emit("Q4_0", NibbleCode::q4_0);
    products.emit("IQ4_NL", NibbleCode::iq4_nl);
    products.emit("MXFP4", NibbleCode::mxfp4);
    products.emit("Q4_K", Q4_KCode::new);
    products.emit("Q5_K", Q5_KCode::new);
    products.emit("Q6_K", Q6_KCode::new);
    products.emit("IQ4_XS", IQ4_XSCode::new);
    products.emitFloats();
    return new KernelLibrary(CodeMemory.load(assembler.assemble()), isa);
  }

  /** The matrix-matrix kernels; formats of one kind share their tiles. */
  private static final class Products {
    private final KernelWriter w;
    private final Map<Tile.Kind, List<Label>> tiles = new HashMap<>();

    Products(KernelWriter w) {
      this.w = w;
    }

    void emit(String encoding, BlockCode.Format format) {
      var unpack = PanelUnpack.emit(w, "unpack." + encoding, format);
      var kind = unpack.kind();
      var forKind = tiles.computeIfAbsent(kind, this::tiles);
      var meets = new MatMul.Meets.Bytes(kind);
      MatMul.emit(w, "matmul." + encoding, meets, unpack.label(), forKind);
    }

    void emitFloats() {
      var labels = new ArrayList<Label>();
      for (int tokens = 1; tokens <= FloatTile.most(w.isa()); tokens++) {
        labels.add(FloatTile.emit(w, tokens));
      }
      for (var code : FloatCode.values()) {
        var unpack = FloatPanelUnpack.emit(w, code);
        MatMul.emit(w, "matmul." + code, new MatMul.Meets.Floats(), unpack, labels);
      }
    }

    private List<Label> tiles(Tile.Kind kind) {
      var labels = new ArrayList<Label>();
      for (int tokens = 1; tokens <= Tile.most(w.isa()); tokens++) {
        labels.add(Tile.emit(w, kind, tokens));
      }
      return labels;
    }
  }

  private static void nibbles(KernelWriter w, String name, NibbleMatVec.Format format) {
    if (w.isa().vectorBits() == 512) {
      NibbleMatVec.emit(w, name, format);
    } else {
      ShortBlockMatVec.emit(w, name, format::code);
    }
  }

  private static void runs(KernelWriter w, String name, LongBlockMatVec.Format format) {
    if (w.isa().vectorBits() == 512) {
      LongBlockMatVec.emit(w, name, format);
    } else {
      LongBlockMatVec256.emit(w, name, format);
    }
  }

  public Isa isa() {
    return isa;
  }

  /** What was emitted, for reports. */
  public Code code() {
    return memory.code();
  }

  /** Floats to {@link Activations}: arguments {@link QuantizeArguments}, range over rows. */
  public Kernel quantize() {
    return new Kernel(memory.entry(Quantize.NAME));
  }

  /** One activation row against packed rows: {@link MatMulArguments}, range over weight rows. */
  public Optional<Kernel> matVec(Encoding encoding) {
    return switch (encoding) {
      case F32 _,
          F16 _,
          BF16 _,
          Q8_0 _,
          Q4_0 _,
          IQ4_NL _,
          MXFP4 _,
          Q4_K _,
          Q5_K _,
          Q6_K _,
          IQ4_XS _ ->
          Optional.of(new Kernel(memory.entry("matvec." + encoding.name())));
      default -> Optional.empty();
    };
  }

  /** Norms of rows: {@link RowNormArguments}, range over rows. */
  public Kernel rowNorm() {
    return new Kernel(memory.entry(RowNorm.NAME));
  }

  /** Products plus a bias and a residual: {@link FinishArguments}, range over columns. */
  public Kernel finishAdd() {
    return new Kernel(memory.entry(Finish.ADD_NAME));
  }

  /** Products gated by a function of others: {@link FinishArguments}, range over columns. */
  public Optional<Kernel> finishGate(Fn fn) {
    return Finish.gateName(fn).map(name -> new Kernel(memory.entry(name)));
  }

  /** A row's attention over keys and values stored so: {@link AttendArguments}, no range. */
  public Optional<Kernel> attend(Encoding stored) {
    if (!isa.includes(Isa.AVX512)) return Optional.empty();
    return switch (stored) {
      case F16 _ -> Optional.of(new Kernel(memory.entry(Attend.name(Attend.Kind.F16))));
      case F32 _ -> Optional.of(new Kernel(memory.entry(Attend.name(Attend.Kind.F32))));
      default -> Optional.empty();
    };
  }

  /**
   * Several activation rows against packed rows: {@link MatMulArguments}, range over weight rows,
   * scratch of {@link #SCRATCH_BYTES} at a multiple of 64.
   */
  public Optional<Kernel> matMul(Encoding encoding) {
    return switch (encoding) {
      case F32 _,
          F16 _,
          BF16 _,
          Q8_0 _,
          Q4_0 _,
          IQ4_NL _,
          MXFP4 _,
          Q4_K _,
          Q5_K _,
          Q6_K _,
          IQ4_XS _ ->
          Optional.of(new Kernel(memory.entry("matmul." + encoding.name())));
      default -> Optional.empty();
    };
  }

  @Override
  public void close() {
    memory.close();
  }
}
