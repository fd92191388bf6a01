package weft.cuda.ptx;

import java.util.function.Consumer;
import java.util.function.Supplier;
import weft.cuda.ptx.Operand.Word;
import weft.cuda.ptx.Reg.B16;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.F64;
import weft.cuda.ptx.Reg.Kind;
import weft.cuda.ptx.Reg.Pred;

/**
 * Writes one kernel: a method an instruction, which gives the register of its result. {@link #into}
 * writes a result to a register that is there already, {@link #called} gives it a name.
 *
 * <pre>{@code
 * var w = new PtxWriter("doubled");
 * var x = w.address("x");
 * var n = w.word("n");
 * var i = w.called("i").mad(w.read(CTAID_X), w.read(NTID_X), w.read(TID_X));
 * w.when(w.isUnsigned(LT, i, n), () -> {
 *   var at = Mem.global(w.madWide(i, imm(4), x));
 *   w.store(at, w.mul(w.loadReal(at), real(2)));
 * });
 * w.function();
 * }</pre>
 */
public final class PtxWriter
    implements IntegerCode,
        RealCode,
        ConvertCode,
        MemoryCode,
        WarpCode,
        TensorCode,
        OrderCode,
        HopperCode {
  /** Where the next result goes. */
  private sealed interface Result {
    record Fresh() implements Result {}

    record Named(String name) implements Result {}

    record Into(Reg register, Kind kind) implements Result {}
  }

  private final Listing listing;
  private final Result result;

  public PtxWriter(String name) {
    this(new Listing(name), new Result.Fresh());
  }

  private PtxWriter(Listing listing, Result result) {
    this.listing = listing;
    this.result = result;
  }

  /** The function as it stands, with its end. */
  public PtxFunction function() {
    listing.line("ret;");
    return new PtxFunction(listing.name(), listing.text());
  }

  // Results.

  /** The same writer, whose next result has a name. */
  public PtxWriter called(String name) {
    return new PtxWriter(listing, new Result.Named(name));
  }

  /** The same writer, whose next result goes to a register. */
  public PtxWriter into(Reg register) {
    var kind =
        switch (register) {
          case Pred _ -> Kind.PRED;
          case B16 _ -> Kind.B16;
          case B32 _ -> Kind.B32;
          case B64 _ -> Kind.B64;
          case F32 _ -> Kind.F32;
          case F64 _ -> Kind.F64;
        };
    return new PtxWriter(listing, new Result.Into(register, kind));
  }

  private String register(Kind kind) {
    return switch (result) {
      case Result.Fresh() -> listing.register(kind);
      case Result.Named(var name) -> listing.register(kind, name);
      case Result.Into(var register, var has) -> {
        if (has != kind) {
          throw new IllegalArgumentException(
              "%s: %s is %s and cannot take a result of %s"
                  .formatted(listing.name(), register.text(), has, kind));
        }
        yield register.text();
      }
    };
  }

  @Override
  public Pred pred() {
    return new Pred(register(Kind.PRED));
  }

  @Override
  public B16 b16() {
    return new B16(register(Kind.B16));
  }

  @Override
  public B32 b32() {
    return new B32(register(Kind.B32));
  }

  @Override
  public B64 b64() {
    return new B64(register(Kind.B64));
  }

  @Override
  public F32 f32() {
    return new F32(register(Kind.F32));
  }

  @Override
  public F64 f64() {
    return new F64(register(Kind.F64));
  }

  // Lines.

  @Override
  public void op(String mnemonic, Operand... operands) {
    listing.instruction(mnemonic, operands);
  }

  /** A comment on a line of its own. */
  public void note(String text) {
    listing.note(text);
  }

  /** A comment behind the last line. */
  public void remark(String text) {
    listing.remark(text);
  }

  // Declarations.

  /** The next parameter: an address in global memory. */
  public B64 address(String name) {
    listing.parameter("u64", name);
    var to = new B64(listing.register(Kind.B64, name));
    op("ld.param.u64", to, parameter(name));
    op("cvta.to.global.u64", to, to);
    return to;
  }

  /** The next parameter: a number of 64 bits. */
  public B64 wideWord(String name) {
    listing.parameter("u64", name);
    var to = new B64(listing.register(Kind.B64, name));
    op("ld.param.u64", to, parameter(name));
    return to;
  }

  /** The next parameter: a word. */
  public B32 word(String name) {
    listing.parameter("u32", name);
    var to = new B32(listing.register(Kind.B32, name));
    op("ld.param.u32", to, parameter(name));
    return to;
  }

  /** The next parameter: a float. */
  public F32 real(String name) {
    listing.parameter("f32", name);
    var to = new F32(listing.register(Kind.F32, name));
    op("ld.param.f32", to, parameter(name));
    return to;
  }

  private static Operand parameter(String name) {
    return new Operand.Place(new Mem(Mem.Space.PARAM, name, 0));
  }

  /** So many bytes of the block's memory. */
  public Shared shared(String name, int bytes, int multiple) {
    listing.memory(".shared .align %d .b8 %s[%d];".formatted(multiple, name, bytes));
    return new Shared(name);
  }

  /** The block's memory of which the launch says how much there is; behind what is declared. */
  public Shared dynamicShared() {
    return dynamicShared(128);
  }

  /** The same, beginning at a multiple of so many bytes. */
  public Shared dynamicShared(int multiple) {
    var name = listing.name() + "_memory";
    listing.outside(".extern .shared .align %d .b8 %s[];".formatted(multiple, name));
    return new Shared(name);
  }

  /** The block has this many threads at the most, which bounds the registers of each. */
  public void mostThreads(int threads) {
    listing.directive(".maxntid %d, 1, 1".formatted(threads));
  }

  /** The block has this many threads, of which {@code blocks} blocks shall fit a multiprocessor. */
  public void mostThreads(int threads, int blocks) {
    mostThreads(threads);
    listing.directive(".minnctapersm " + blocks);
  }

  // Control.

  /** The body's instructions, none of them a branch, where it is true. */
  public void guarded(Pred when, Runnable body) {
    listing.guarded(when.text(), body);
  }

  /** The body where it is true. */
  public void when(Pred is, Runnable body) {
    unguarded();
    var end = listing.unique("end_if");
    op("@!" + is.text() + " bra", new Operand.Name(end));
    listing.deeper(body);
    listing.label(end);
  }

  /** One body where it is true, the other where it is not. */
  public void whenElse(Pred is, Runnable body, Runnable otherwise) {
    unguarded();
    var otherLabel = listing.unique("else");
    var end = listing.unique("end_else");
    op("@!" + is.text() + " bra", new Operand.Name(otherLabel));
    listing.deeper(body);
    op("bra", new Operand.Name(end));
    listing.label(otherLabel);
    listing.deeper(otherwise);
    listing.label(end);
  }

  /** The body as long as what it is asked before each turn is true. */
  public void whileTrue(Supplier<Pred> condition, Runnable body) {
    unguarded();
    var head = listing.unique("loop");
    var end = listing.unique("end_loop");
    listing.label(head);
    var goesOn = condition.get();
    op("@!" + goesOn.text() + " bra", new Operand.Name(end));
    listing.deeper(body);
    op("bra", new Operand.Name(head));
    listing.label(end);
  }

  /** The body at least once, and again as long as it gives true. */
  public void repeat(Supplier<Pred> body) {
    unguarded();
    var head = listing.unique("again");
    listing.label(head);
    listing.deeper(
        () -> {
          var again = body.get();
          op("@" + again.text() + " bra", new Operand.Name(head));
        });
  }

  /** The body for {@code from}, {@code from + step} and so on below {@code to}, unsigned. */
  public void count(String name, Word from, Word to, Word step, Consumer<B32> body) {
    var index = called(name).mov(from);
    whileTrue(
        () -> isUnsigned(Compare.LT, index, to),
        () -> {
          body.accept(index);
          into(index).add(index, step);
        });
  }

  /** The end of the thread where it is true. */
  public void exitWhen(Pred is) {
    unguarded();
    op("@" + is.text() + " ret");
  }

  private void unguarded() {
    if (listing.isGuarded()) {
      throw new IllegalStateException(listing.name() + ": a branch is among guarded instructions");
    }
  }
}
