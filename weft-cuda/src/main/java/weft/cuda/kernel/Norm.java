package weft.cuda.kernel;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.ptx.PtxFunction;

/**
 * A norm over the last axis: a block a group of elements, which it reads twice, or thrice where it
 * has to know their mean.
 *
 * @param values x, then the residual if one is added
 */
public record Norm(Kind kind, int width, Strided result, List<Strided> values) {
  public static final int THREADS = 256;
  private static final int WARPS = THREADS / 32;

  public Norm {
    values = List.copyOf(values);
  }

  public sealed interface Kind {
    float eps();

    /** By the root of the mean square, then times a weight and an offset of it. */
    record Rms(float eps, float offset) implements Kind {}

    /** From the mean, by the deviation, then times a weight plus a bias, which lies behind it. */
    record Layer(float eps) implements Kind {}

    /** By the root of the sum of squares. */
    record Length(float eps) implements Kind {}
  }

  private boolean hasResidual() {
    return values.size() > 1;
  }

  private String name() {
    return switch (kind) {
      case Kind.Rms _ -> hasResidual() ? "addnorm" : "rmsnorm";
      case Kind.Layer _ -> "layernorm";
      case Kind.Length _ -> "l2norm";
    };
  }

  /** Parameters: the result, x, the weight (none for lengths), the residual if there is one. */
  public PtxFunction kernel() {
    var parameters = new ArrayList<>(List.of("u64 result", "u64 value0"));
    if (!(kind instanceof Kind.Length)) parameters.add("u64 weight");
    if (hasResidual()) parameters.add("u64 value1");
    var code = new Code();
    code.add(
        """
            .reg .u32 %group, %lane, %warp, %i, %at, %rest, %axis, %bits, %partials;
            .reg .u64 %x, %y, %w, %r, %place;
            .reg .b16 %half;
            .reg .f32 %a, %b, %sum, %other, %scale, %mean;
            .reg .pred %outside, %first;
        """);
    code.add("    .shared .align 16 .b8 sums[%d];", 4 * 2 * WARPS);
    code.add(
        """
            mov.u32 %group, %ctaid.x;   // a block a group
            mov.u32 %i, %tid.x;
            and.b32 %lane, %i, 31;
            shr.u32 %warp, %i, 5;
        """);
    begin(values.getFirst(), "value0", "%x", code);
    begin(result, "result", "%y", code);
    if (hasResidual()) begin(values.get(1), "value1", "%r", code);
    if (kind instanceof Kind.Layer) {
      total("MEAN", 0, "    add.f32 %sum, %sum, %a;", code);
      code.add("    div.rn.f32 %%mean, %%sum, %s;", Code.number(width));
      total(
          "SQUARES", WARPS, "    sub.f32 %a, %a, %mean;\n    fma.rn.f32 %sum, %a, %a, %sum;", code);
    } else {
      total("SQUARES", 0, "    fma.rn.f32 %sum, %a, %a, %sum;", code);
    }
    scale(code);
    write(code);
    return code.kernel(Code.name(name(), this), parameters);
  }

  /** Where this block's group of a value begins. */
  private static void begin(Strided value, String parameter, String to, Code code) {
    code.offset(value.groups(), "%group", "%at", "%rest", "%axis");
    code.add("    ld.param.u64 %s, [%s];", to, parameter);
    code.address(to, "%at", value.dtype(), to);
  }

  private static void element(Strided value, String base, Code code) {
    int bytes = value.strides().getLast() * value.dtype().bytes();
    code.add("    mad.wide.u32 %%place, %%i, %d, %s;", bytes, base);
  }

  /** In every thread, the sum of what all of the group's elements add. */
  private void total(String label, int at, String addition, Code code) {
    var x = values.getFirst();
    code.add("    mov.f32 %%sum, 0f00000000;\n    mov.u32 %%i, %%tid.x;\n%s:", label);
    code.add("    setp.ge.u32 %%outside, %%i, %d;\n    @%%outside bra %sDONE;", width, label);
    element(x, "%x", code);
    code.load(x.dtype(), "%place", "%a");
    code.add(addition);
    code.add("    add.u32 %%i, %%i, %d;\n    bra %s;\n%sDONE:", THREADS, label, label);
    code.warpSum("%sum");
    code.add("    mov.u32 %%partials, sums;\n    add.u32 %%partials, %%partials, %d;", 4 * at);
    code.add(
        """
            mad.lo.u32 %at, %warp, 4, %partials;
            setp.eq.u32 %first, %lane, 0;
            @%first st.shared.f32 [%at], %sum;   // a partial sum a warp
            bar.sync 0;
            mov.f32 %sum, 0f00000000;
        """);
    for (int warp = 0; warp < WARPS; warp++) {
      code.add("    ld.shared.f32 %%a, [%%partials+%d];\n    add.f32 %%sum, %%sum, %%a;", 4 * warp);
    }
  }

  private void scale(Code code) {
    if (!(kind instanceof Kind.Length)) {
      code.add("    div.rn.f32 %%sum, %%sum, %s;", Code.number(width));
    }
    code.add("    add.f32 %%sum, %%sum, %s;", Code.number(kind.eps()));
    code.add("    sqrt.rn.f32 %sum, %sum;\n    rcp.rn.f32 %scale, %sum;");
  }

  private void write(Code code) {
    var x = values.getFirst();
    code.add("    mov.u32 %i, %tid.x;\nNORMED:");
    code.add("    setp.ge.u32 %%outside, %%i, %d;\n    @%%outside bra DONE;", width);
    element(x, "%x", code);
    code.load(x.dtype(), "%place", "%a");
    if (kind instanceof Kind.Layer) code.add("    sub.f32 %a, %a, %mean;");
    code.add("    mul.f32 %a, %a, %scale;");
    if (!(kind instanceof Kind.Length)) {
      code.add("    ld.param.u64 %w, [weight];\n    mad.wide.u32 %place, %i, 4, %w;");
      code.add("    ld.global.f32 %b, [%place];");
      if (kind instanceof Kind.Rms(_, var offset) && offset != 0) {
        code.add("    add.f32 %%b, %%b, %s;", Code.number(offset));
      }
      code.add("    mul.f32 %a, %a, %b;");
    }
    if (kind instanceof Kind.Layer) {
      code.add("    ld.global.f32 %%b, [%%place+%d];\n    add.f32 %%a, %%a, %%b;", 4 * width);
    }
    if (hasResidual()) {
      element(values.get(1), "%r", code);
      code.load(values.get(1).dtype(), "%place", "%b");
      code.add("    add.f32 %a, %a, %b;");
    }
    element(result, "%y", code);
    code.store(result.dtype(), "%place", "%a");
    code.add("    add.u32 %%i, %%i, %d;\n    bra NORMED;\nDONE:\n    ret;", THREADS);
  }
}
