package weft.cuda.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.cuda.ptx.Compare.LT;
import static weft.cuda.ptx.Imm.imm;
import static weft.cuda.ptx.Imm.real;
import static weft.cuda.ptx.Special.CTAID_X;
import static weft.cuda.ptx.Special.NTID_X;
import static weft.cuda.ptx.Special.TID_X;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PtxWriterTest {
  @Test
  void aKernelReadsAsItsManualDoes() {
    assertThat(doubled().text())
        .isEqualTo(
            """
            .visible .entry doubled(
              .param .u64 x,
              .param .u32 n
            )
            .maxntid 128, 1, 1
            {
              .reg .pred %p<1>;
              .reg .b32 %n;
              .reg .b32 %i;
              .reg .b32 %r<3>;
              .reg .b64 %x;
              .reg .b64 %d<1>;
              .reg .f32 %f<2>;
              griddepcontrol.wait;
              ld.param.u64 %x, [x];
              cvta.to.global.u64 %x, %x;
              ld.param.u32 %n, [n];
              // a thread an element
              mov.u32 %r0, %ctaid.x;
              mov.u32 %r1, %ntid.x;
              mov.u32 %r2, %tid.x;
              mad.lo.s32 %i, %r0, %r1, %r2;
              setp.lt.u32 %p0, %i, %n;
              @!%p0 bra end_if;
                mad.wide.u32 %d0, %i, 4, %x;
                ld.global.f32 %f0, [%d0];
                mul.rn.f32 %f1, %f0, 0f40000000;
                st.global.f32 [%d0], %f1;                                       // in place
            end_if:
              ret;
            }
            """);
  }

  static PtxFunction doubled() {
    var w = new PtxWriter("doubled");
    w.mostThreads(128);
    var x = w.address("x");
    var n = w.word("n");
    w.note("a thread an element");
    var i = w.called("i").mad(w.read(CTAID_X), w.read(NTID_X), w.read(TID_X));
    w.when(
        w.isUnsigned(LT, i, n),
        () -> {
          var at = Mem.global(w.madWide(i, imm(4), x));
          w.store(at, w.mul(w.loadReal(at), real(2)));
          w.remark("in place");
        });
    return w.function();
  }

  @Test
  void namesAreUsedOnceAndRegistersKeepTheirType() {
    var w = new PtxWriter("k");
    assertThat(w.called("sum").f32().text()).isEqualTo("%sum");
    var again = w.called("sum").f32();
    assertThat(again.text()).isEqualTo("%sum_2");
    assertThatThrownBy(() -> w.into(again).add(imm(1), imm(2)))
        .hasMessage("k: %sum_2 is F32 and cannot take a result of B32");
  }

  @Test
  void aBranchIsNotGuarded() {
    var w = new PtxWriter("k");
    var p = w.pred();
    assertThatThrownBy(() -> w.guarded(p, () -> w.when(p, () -> {})))
        .hasMessage("k: a branch is among guarded instructions");
    assertThatThrownBy(() -> w.guarded(p, () -> w.guarded(p, () -> {})))
        .hasMessageContaining("join the guards");
  }

  /** Every method that writes an instruction, with registers of its types. */
  @Test
  void everyInstructionIsOneThatNvidiasAssemblerKnows() throws Exception {
    PtxCheck.assemble(
        "sm_80", List.of(PtxModule.text(List.of(doubled(), everything("all", false)))));
    PtxCheck.assemble("sm_90a", List.of(PtxModule.hopper(List.of(everything("all", true)))));
    PtxCheck.assemble(
        "sm_90a", List.of(PtxModule.sinceHopper(List.of(doubled(), everything("all", false)))));
  }

  @Test
  void whatBeginsEarlyIsLeftOutWhereNothingDoes() {
    var functions = List.of(doubled());
    assertThat(PtxModule.text(functions)).contains("sm_80").doesNotContain("griddepcontrol");
    assertThat(PtxModule.sinceHopper(functions)).contains("sm_90\n", "griddepcontrol.wait");
    assertThat(PtxModule.hopper(functions)).contains("sm_90a\n", "griddepcontrol.wait");
  }

  /** Calls all methods of all families. */
  private static PtxFunction everything(String name, boolean hopper) throws Exception {
    var w = new PtxWriter(name);
    var x = w.address("x");
    var memory = w.shared("memory", 1024, 16);
    var families = new ArrayList<Class<?>>();
    for (var family : PtxWriter.class.getInterfaces()) {
      if (hopper || family != HopperCode.class) families.add(family);
    }
    for (var family : families) {
      for (var method : family.getDeclaredMethods()) {
        if (!Modifier.isPublic(method.getModifiers()) || !method.isDefault()) continue;
        boolean isShared =
            family == HopperCode.class
                || family == TensorCode.class
                || method.getName().startsWith("copy16");
        int places = 0;
        var arguments = new ArrayList<Object>();
        var registers = new ArrayList<Reg>();
        for (var type : method.getParameterTypes()) {
          if (type == Mem.class) {
            // The second place of a copy is where it comes from.
            arguments.add(
                isShared && places++ != 1 ? Mem.shared(memory).plus(16) : Mem.global(x).plus(16));
          } else if (type == List.class) {
            var parts = new ArrayList<Operand>();
            for (int i = 0; i < parts(method.getName(), registers.size()); i++) {
              boolean isReal = method.getName().startsWith("multiply") && registers.isEmpty();
              isReal |= method.getName().equals("storeReals");
              parts.add(isReal ? w.mov(real(i)) : w.mov(imm(i)));
            }
            registers.add(w.pred());
            arguments.add(parts);
          } else {
            arguments.add(argument(w, type, memory, method.getName(), arguments.isEmpty()));
          }
        }
        method.setAccessible(true);
        method.invoke(w, arguments.toArray());
      }
    }
    return w.function();
  }

  private static int parts(String method, int before) {
    return switch (method) {
      case "multiply" -> before == 2 ? 2 : 4;
      case "multiplyGroup" -> 128;
      default -> 4;
    };
  }

  private static Object argument(
      PtxWriter w, Class<?> type, Shared memory, String method, boolean first) {
    if (type == int.class) {
      return switch (method) {
        case "barrier" -> first ? 1 : 32;
        case "loadWords", "loadReals" -> 4;
        default -> 1;
      };
    }
    if (type == double.class) return 0.5;
    if (type == Operand.Word.class) {
      return imm(method.equals("barrierTry") ? 1 : 16);
    }
    if (type == Operand.Wide.class) return Imm.wide(5);
    if (type == Operand.Real.class) return real(0.5f);
    if (type == Reg.Pred.class) return w.is(LT, imm(1), imm(2));
    if (type == Reg.B16.class) return w.toHalf(real(1));
    if (type == Reg.B32.class) return w.mov(imm(7));
    if (type == Reg.B64.class) return w.mov(Imm.wide(7));
    if (type == Reg.F32.class) return w.mov(real(7));
    if (type == Reg.F64.class) return w.exact(7);
    if (type == Shared.class) return memory;
    if (type.isEnum()) return type.getEnumConstants()[0];
    throw new IllegalArgumentException(method + " takes " + type);
  }
}
