package weft.cuda.kernel;

import java.util.ArrayList;
import java.util.List;
import weft.cuda.ptx.PtxFunction;
import weft.ir.Bin;
import weft.ir.Fn;

/**
 * Numbers that depend on the numbers at one place of some values each: a thread an element, its
 * place made of strides that are known when the kernel is written.
 *
 * @param gather whether the rows of the first value are those that a list names
 */
public record Elementwise(Formula formula, Strided result, List<Strided> values, boolean gather) {
  public static final int THREADS = 256;

  public Elementwise {
    values = List.copyOf(values);
  }

  /** What is done with the numbers, of which the first is {@code %a}, the second {@code %b}. */
  public sealed interface Formula {
    record Copy() implements Formula {}

    record Map(Fn fn) implements Formula {}

    record Scale(float by) implements Formula {}

    record SoftCap(float cap) implements Formula {}

    record Zip(Bin bin) implements Formula {}

    record Glu(Fn fn) implements Formula {}
  }

  /** Parameters: the result, the values, the list of rows if there is one, how many elements. */
  public PtxFunction kernel() {
    var parameters = new ArrayList<>(List.of("u64 result"));
    for (int i = 0; i < values.size(); i++) parameters.add("u64 value" + i);
    if (gather) parameters.add("u64 rows");
    parameters.add("u32 count");
    var code =
        new Code()
            .add(
                """
                    .reg .u32 %block, %index, %count, %at, %rest, %axis, %bits;
                    .reg .u64 %base, %place;
                    .reg .b16 %half;
                    .reg .f32 %a, %b;
                    .reg .pred %outside;
                """)
            .add(FnCode.REGISTERS)
            .add(
                """
                    mov.u32 %block, %ctaid.x;
                    mov.u32 %rest, %ntid.x;
                    mov.u32 %index, %tid.x;
                    mad.lo.u32 %index, %block, %rest, %index;   // a thread an element
                    ld.param.u32 %count, [count];
                    setp.ge.u32 %outside, %index, %count;
                    @%outside bra DONE;
                """);
    for (int i = 0; i < values.size(); i++) {
      var value = values.get(i);
      if (gather && i == 0) gathered(value, code);
      else code.offset(value, "%index", "%at", "%rest", "%axis");
      code.add("    ld.param.u64 %%base, [value%d];", i);
      code.address("%base", "%at", value.dtype(), "%place");
      code.load(value.dtype(), "%place", i == 0 ? "%a" : "%b");
    }
    compute(code);
    code.offset(result, "%index", "%at", "%rest", "%axis");
    code.add("    ld.param.u64 %%base, [result];");
    code.address("%base", "%at", result.dtype(), "%place");
    code.store(result.dtype(), "%place", "%a");
    code.add("DONE:\n    ret;");
    return code.kernel(Code.name(name(), this), parameters);
  }

  private String name() {
    return switch (formula) {
      case Formula.Copy() -> gather ? "gather" : "copy";
      case Formula.Map(var fn) -> "map_" + fn.name().toLowerCase(java.util.Locale.ROOT);
      case Formula.Scale _ -> "scale";
      case Formula.SoftCap _ -> "softcap";
      case Formula.Zip(var bin) -> "zip_" + bin.name().toLowerCase(java.util.Locale.ROOT);
      case Formula.Glu(var fn) -> "glu_" + fn.name().toLowerCase(java.util.Locale.ROOT);
    };
  }

  /** The place of an element whose row is looked up. */
  private void gathered(Strided value, Code code) {
    int width = value.rowElements();
    code.add("    div.u32 %%rest, %%index, %d;   // which row of the result", width);
    code.add("    ld.param.u64 %%base, [rows];");
    code.add("    mad.wide.u32 %%place, %%rest, 4, %%base;");
    code.add("    ld.global.u32 %%at, [%%place];");
    code.add("    rem.u32 %%axis, %%index, %d;", width);
    code.add("    mad.lo.u32 %%block, %%at, %d, %%axis;   // as if its rows lay there", width);
    code.offset(value, "%block", "%at", "%rest", "%axis");
  }

  private void compute(Code code) {
    switch (formula) {
      case Formula.Copy() -> {}
      case Formula.Map(var fn) -> FnCode.apply(fn, "%a", code);
      case Formula.Scale(var by) -> code.add("    mul.f32 %%a, %%a, %s;", Code.number(by));
      case Formula.SoftCap(var cap) -> {
        code.add("    mul.f32 %%a, %%a, %s;", Code.number(1 / cap));
        FnCode.tanh("%a", code);
        code.add("    mul.f32 %%a, %%a, %s;", Code.number(cap));
      }
      case Formula.Zip(var bin) ->
          code.add(
              switch (bin) {
                case ADD -> "    add.f32 %a, %a, %b;";
                case SUB -> "    sub.f32 %a, %a, %b;";
                case MUL -> "    mul.f32 %a, %a, %b;";
                case DIV -> "    div.rn.f32 %a, %a, %b;";
              });
      case Formula.Glu(var fn) -> {
        FnCode.apply(fn, "%a", code);
        code.add("    mul.f32 %a, %a, %b;");
      }
    }
  }
}
