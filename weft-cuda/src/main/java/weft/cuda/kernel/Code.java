package weft.cuda.kernel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import weft.cuda.ptx.PtxFunction;
import weft.ir.DType;

/** The lines of one kernel as they are written; what many kernels say in the same words. */
final class Code {
  /** Such kernels are small: whatever comes next finds room beside them at once. */
  private static final String WAITING =
      "    griddepcontrol.launch_dependents;\n    griddepcontrol.wait;\n";

  private final StringBuilder lines = new StringBuilder();
  private boolean hasWaited;

  /** A kernel's name: its kind, and a number that only the same descriptor has. */
  static String name(String kind, Record descriptor) {
    var sum = new CRC32();
    sum.update(descriptor.toString().getBytes(StandardCharsets.UTF_8));
    return "%s_%08x".formatted(kind, sum.getValue());
  }

  /** A number as PTX takes it to the last bit. */
  static String number(float value) {
    return "0f%08X".formatted(Float.floatToRawIntBits(value));
  }

  Code add(String text, Object... arguments) {
    lines.append(arguments.length == 0 ? text.replace("%%", "%") : text.formatted(arguments));
    if (!text.endsWith("\n")) lines.append('\n');
    return this;
  }

  /**
   * From here on earlier launches are over; before this, a kernel may only read what no kernel
   * writes, as a step's lists. Kernels that do not say so wait at their beginning.
   */
  Code awaitLast() {
    hasWaited = true;
    return add(WAITING);
  }

  /**
   * The whole kernel.
   *
   * @param parameters as {@code u64 x}
   */
  PtxFunction kernel(String name, List<String> parameters) {
    var text = new StringBuilder(".visible .entry " + name + "(\n");
    for (int i = 0; i < parameters.size(); i++) {
      text.append("    .param .").append(parameters.get(i));
      text.append(i + 1 < parameters.size() ? ",\n" : ")\n");
    }
    return new PtxFunction(
        name,
        text.append("{\n").append(hasWaited ? "" : WAITING).append(lines).append("}\n").toString());
  }

  /** Where element {@code index} of a value lies, in elements; {@code scratch} is overwritten. */
  Code offset(Strided value, String index, String to, String rest, String scratch) {
    if (value.isContiguous()) return add("    mov.u32 %s, %s;", to, index);
    add("    mov.u32 %s, %s;", rest, index);
    add("    mov.u32 %s, 0;", to);
    for (int axis = value.strides().size() - 1; axis > 0; axis--) {
      int size = value.sizes().get(axis - 1);
      if (value.strides().get(axis) != 0) {
        add("    rem.u32 %s, %s, %d;", scratch, rest, size);
        add("    mad.lo.u32 %s, %s, %d, %s;", to, scratch, value.strides().get(axis), to);
      }
      add("    div.u32 %s, %s, %d;", rest, rest, size);
    }
    return add("    mad.lo.u32 %s, %s, %d, %s;", to, rest, value.strides().getFirst(), to);
  }

  /** The address of an element. */
  Code address(String base, String element, DType dtype, String to) {
    return add("    mad.wide.u32 %s, %s, %d, %s;", to, element, dtype.bytes(), base);
  }

  /** Loads a number of any element type as float32; needs %half and %bits. */
  Code load(DType dtype, String address, String to) {
    return switch (dtype) {
      case F32 -> add("    ld.global.f32 %s, [%s];", to, address);
      case F16 ->
          add("    ld.global.b16 %%half, [%s];", address).add("    cvt.f32.f16 %s, %%half;", to);
      case BF16 ->
          add("    ld.global.u16 %%half, [%s];", address)
              .add("    cvt.u32.u16 %%bits, %%half;", to)
              .add("    shl.b32 %%bits, %%bits, 16;", to)
              .add("    mov.b32 %s, %%bits;", to);
      case I32 -> throw new IllegalArgumentException("i32 are a step's lists, no numbers");
    };
  }

  /** Stores a float32 as the nearest number of any element type; needs %half. */
  Code store(DType dtype, String address, String from) {
    return switch (dtype) {
      case F32 -> add("    st.global.f32 [%s], %s;", address, from);
      case F16 ->
          add("    cvt.rn.f16.f32 %%half, %s;", from)
              .add("    st.global.b16 [%s], %%half;", address);
      case BF16 ->
          add("    cvt.rn.bf16.f32 %%half, %s;", from)
              .add("    st.global.b16 [%s], %%half;", address);
      case I32 -> throw new IllegalArgumentException("i32 are a step's lists, no numbers");
    };
  }

  /** Adds up a float of all lanes of a warp, in every lane; needs %other. */
  Code warpSum(String value) {
    for (int distance = 16; distance > 0; distance /= 2) {
      add("    shfl.sync.bfly.b32 %%other, %s, %d, 31, 0xffffffff;", value, distance);
      add("    add.f32 %s, %s, %%other;", value, value);
    }
    return this;
  }

  /** The greatest float of all lanes of a warp, in every lane; needs %other. */
  Code warpMax(String value) {
    for (int distance = 16; distance > 0; distance /= 2) {
      add("    shfl.sync.bfly.b32 %%other, %s, %d, 31, 0xffffffff;", value, distance);
      add("    max.f32 %s, %s, %%other;", value, value);
    }
    return this;
  }
}
