package weft.cpu.asm;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Collects instructions, labels and constants, and lays them out as {@link Code}.
 *
 * <p>Branches take the short form where the distance allows; constants lie behind the last
 * instruction and are reached relative to it, so the code runs wherever it is mapped.
 */
public final class Assembler {
  /** A line of the cache. */
  private static final int LINE = 64;

  /** What lies in the code, in order. */
  private sealed interface Item {}

  private record Instruction(
      Op op, Form form, Form.Match match, List<Operand> operands, Encoder.Encoded encoded)
      implements Item {
    String text() {
      return Encoder.text(op, form, match, operands);
    }
  }

  private record Branch(Op op, Label target) implements Item {}

  private record Bound(Label label) implements Item {}

  private record Aligned(int bytes, boolean code) implements Item {}

  private record Note(String text) implements Item {}

  private record Constant(String name, byte[] bytes) implements Item {}

  private final List<Item> items = new ArrayList<>();
  private final List<Item> constants = new ArrayList<>();
  private final Map<ByteBuffer, Label> pool = new HashMap<>();
  private final Map<String, Label> entries = new LinkedHashMap<>();

  /** A new label, to be placed with {@link #bind}. */
  public Label label(String name) {
    return new Label(name);
  }

  /** Places a label here. */
  public void bind(Label label) {
    items.add(new Bound(label));
  }

  /** Begins a function of this name, on a line of the cache of its own. */
  public Label entry(String name) {
    var label = label(name);
    if (entries.putIfAbsent(name, label) != null) {
      throw new AsmException("there are two entries named " + name + "; names must differ");
    }
    align(LINE);
    bind(label);
    return label;
  }

  /** Fills with no-ops up to the next multiple of {@code bytes}, a power of two. */
  public void align(int bytes) {
    if (Integer.bitCount(bytes) != 1) {
      throw new AsmException("code is aligned to a power of two, not to " + bytes);
    }
    items.add(new Aligned(bytes, true));
  }

  /** A remark that the listing shows before the next instruction. */
  public void note(String text) {
    items.add(new Note(text));
  }

  /** Bytes that lie behind the code, on a line of the cache; equal ones lie there once. */
  public Label bytes(String name, byte... values) {
    return pool.computeIfAbsent(
        ByteBuffer.wrap(values.clone()),
        key -> {
          var label = label(name);
          constants.add(new Aligned(LINE, false));
          constants.add(new Bound(label));
          constants.add(new Constant(name, key.array()));
          return label;
        });
  }

  /** 32-bit numbers that lie behind the code, on a line of the cache. */
  public Label ints(String name, int... values) {
    var bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(values);
    return bytes(name, bytes.array());
  }

  /** Floats that lie behind the code, on a line of the cache. */
  public Label floats(String name, float... values) {
    var bits = new int[values.length];
    Arrays.setAll(bits, i -> Float.floatToRawIntBits(values[i]));
    return ints(name, bits);
  }

  /** Appends an instruction, in the first and so the shortest of its forms that takes these. */
  public void op(Op op, Operand... operands) {
    if (operands.length == 1 && operands[0] instanceof Label target) {
      requireBranch(op);
      items.add(new Branch(op, target));
      return;
    }
    var given = List.of(operands);
    for (var form : op.forms()) {
      var match = form.match(given);
      if (match.isPresent()) {
        var encoded = Encoder.encode(form, match.get());
        items.add(new Instruction(op, form, match.get(), given, encoded));
        return;
      }
    }
    throw new AsmException(
        op.mnemonic()
            + " does not take ("
            + given.stream().map(Assembler::describe).collect(Collectors.joining(", "))
            + "); its forms are: "
            + op.forms().stream().map(Form::text).collect(Collectors.joining("; ")));
  }

  private static void requireBranch(Op op) {
    if (op.forms().stream().noneMatch(Form::takesLabel)) {
      throw new AsmException(op.mnemonic() + " is no branch; to read at a label use Mem.at(label)");
    }
  }

  private static String describe(Operand operand) {
    return Form.plain(operand) instanceof Mem m
        ? operand + " of " + (m.bits() == 0 ? "no said size" : m.bits() + " bits")
        : operand.toString();
  }

  /** Lays everything out. */
  public Code assemble() {
    var all = new ArrayList<>(items);
    all.addAll(constants);
    return new Layout(all).code();
  }

  /** The places of the items once the length of every branch is known. */
  private final class Layout {
    private final List<Item> all;
    private final boolean[] far;
    private final int[] offsets;
    private final Map<Label, Integer> places = new HashMap<>();

    Layout(List<Item> all) {
      this.all = all;
      far = new boolean[all.size()];
      offsets = new int[all.size() + 1];
      bindOnce();
      // A branch only ever grows, so this ends; each growth may push another out of reach.
      do {
        measure();
      } while (growBranches());
    }

    private void bindOnce() {
      for (var item : all) {
        if (item instanceof Bound(Label label) && places.put(label, 0) != null) {
          throw new AsmException("the label " + label + " is bound twice");
        }
      }
    }

    private void measure() {
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i) instanceof Bound(Label label)) {
          places.put(label, offsets[i]);
        }
        offsets[i + 1] = offsets[i] + size(i);
      }
    }

    private int size(int i) {
      return switch (all.get(i)) {
        case Instruction in -> in.encoded().bytes().length;
        case Branch b -> form(b, far[i]).opcode().size() + (isFar(b, far[i]) ? 4 : 1);
        case Aligned a -> -offsets[i] & a.bytes() - 1;
        case Constant c -> c.bytes().length;
        case Bound b -> 0;
        case Note n -> 0;
      };
    }

    private boolean growBranches() {
      boolean grew = false;
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i) instanceof Branch b && !isFar(b, far[i])) {
          int distance = place(b.target()) - offsets[i + 1];
          if (distance != (byte) distance) {
            far[i] = true;
            grew = true;
          }
        }
      }
      return grew;
    }

    private static Form form(Branch branch, boolean far) {
      var forms = branch.op().forms();
      boolean onlyFar = forms.getFirst().slots().getFirst().bits() == 32;
      return forms.get(far && !onlyFar ? 1 : 0);
    }

    private static boolean isFar(Branch branch, boolean far) {
      return form(branch, far).slots().getFirst().bits() == 32;
    }

    private int place(Label label) {
      var place = places.get(label);
      if (place == null) {
        throw new AsmException("the label " + label + " is used but bound nowhere");
      }
      return place;
    }

    Code code() {
      var out = new ByteArrayOutputStream(offsets[all.size()]);
      for (int i = 0; i < all.size(); i++) {
        switch (all.get(i)) {
          case Instruction in -> out.writeBytes(instructionBytes(in, i));
          case Branch b -> out.writeBytes(branchBytes(b, i));
          case Aligned a -> out.writeBytes(a.code() ? Nops.of(size(i)) : new byte[size(i)]);
          case Constant c -> out.writeBytes(c.bytes());
          case Bound b -> {}
          case Note n -> {}
        }
      }
      var entryOffsets = new LinkedHashMap<String, Integer>();
      entries.forEach((name, label) -> entryOffsets.put(name, place(label)));
      return new Code(out.toByteArray(), this::lines, entryOffsets);
    }

    /** The listing, made only when somebody wants to read it. */
    private List<Code.Line> lines() {
      var lines = new ArrayList<Code.Line>();
      for (int i = 0; i < all.size(); i++) {
        int at = offsets[i];
        int length = offsets[i + 1] - at;
        switch (all.get(i)) {
          case Instruction in ->
              lines.add(new Code.Line(Code.Kind.INSTRUCTION, at, length, in.text()));
          case Branch b -> {
            var text = b.op().mnemonic() + " " + b.target();
            lines.add(new Code.Line(Code.Kind.INSTRUCTION, at, length, text));
          }
          case Constant c -> lines.add(new Code.Line(Code.Kind.DATA, at, length, c.name()));
          case Bound b -> lines.add(new Code.Line(Code.Kind.LABEL, at, 0, b.label() + ":"));
          case Note n -> lines.add(new Code.Line(Code.Kind.NOTE, at, 0, n.text()));
          case Aligned a -> {}
        }
      }
      return lines;
    }

    private byte[] instructionBytes(Instruction instruction, int i) {
      var encoded = instruction.encoded();
      if (encoded.relativeTo().isEmpty()) {
        return encoded.bytes();
      }
      int distance = place(encoded.relativeTo().get()) - offsets[i + 1];
      var bytes = encoded.bytes().clone();
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(encoded.relativeAt(), distance);
      return bytes;
    }

    private byte[] branchBytes(Branch branch, int i) {
      var form = form(branch, far[i]);
      int distance = place(branch.target()) - offsets[i + 1];
      var bytes = ByteBuffer.allocate(size(i)).order(ByteOrder.LITTLE_ENDIAN);
      form.opcode().forEach(b -> bytes.put(b.byteValue()));
      if (isFar(branch, far[i])) {
        bytes.putInt(distance);
      } else {
        bytes.put((byte) distance);
      }
      return bytes.array();
    }
  }
}
