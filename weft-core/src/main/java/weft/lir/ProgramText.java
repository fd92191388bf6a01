package weft.lir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weft.ir.IrException;
import weft.ir.Op;
import weft.ir.RecordParser;
import weft.ir.RecordText;
import weft.ir.Slot;
import weft.ir.Type;
import weft.ir.Value;

/** A program as text, a line a part; it parses back to the same program. */
public final class ProgramText {
  private static final Type NOT_YET_KNOWN = Type.f32(1);

  private ProgramText() {}

  public static String print(Program program) {
    var out = new StringBuilder();
    out.append("bounds ").append(RecordText.parts(program.bounds())).append('\n');
    out.append("alignment ").append(program.alignment()).append('\n');
    for (var region : program.regions()) {
      out.append("region ").append(RecordText.parts(region)).append('\n');
    }
    for (var slot : program.slots()) {
      out.append("slot ").append(RecordText.text(slot)).append('\n');
    }
    for (var launch : program.setup()) out.append("setup ").append(line(launch)).append('\n');
    for (var launch : program.steps()) out.append("step ").append(line(launch)).append('\n');
    named("input", program.inputs(), out);
    named("output", program.outputs(), out);
    return out.toString();
  }

  private static void named(String what, Map<String, Operand.View> views, StringBuilder out) {
    views.forEach(
        (name, view) ->
            out.append(what)
                .append(' ')
                .append(RecordText.text(name))
                .append(' ')
                .append(RecordText.text(view))
                .append('\n'));
  }

  /** One launch: its result, the op over formal parameters, and what is bound to them. */
  public static String line(Launch launch) {
    return RecordText.text(launch.result())
        + " = "
        + launch.op().mnemonic()
        + " "
        + RecordText.parts(launch.op())
        + " with "
        + RecordText.text(launch.operands());
  }

  /** Reads a program back; a text that is not one is a {@link ProgramException}. */
  public static Program parse(String text) {
    var bounds = new ArrayList<Bounds>();
    var regions = new ArrayList<Region>();
    var slots = new ArrayList<Slot>();
    var setup = new ArrayList<Launch>();
    var steps = new ArrayList<Launch>();
    var alignments = new ArrayList<Integer>();
    var inputs = new LinkedHashMap<String, Operand.View>();
    var outputs = new LinkedHashMap<String, Operand.View>();
    try {
      for (var line : text.lines().toList()) {
        // A launch's parameters get their types from its operands, which come last.
        var in = new RecordParser(line, id -> Launch.formal(id, NOT_YET_KNOWN));
        switch (in.word("a part of a program")) {
          case "bounds" -> bounds.add((Bounds) in.record(Bounds.class));
          case "alignment" -> alignments.add(in.integer());
          case "region" -> regions.add((Region) in.record(Region.class));
          case "slot" -> slots.add((Slot) in.any(Slot.class));
          case "setup" -> setup.add(launch(in));
          case "step" -> steps.add(launch(in));
          case "input" -> named(in, inputs);
          case "output" -> named(in, outputs);
          default -> throw in.error("no part of a program starts so");
        }
        in.end();
      }
      if (bounds.size() != 1) throw new ProgramException(bounds.size() + " lines of bounds, not 1");
      if (alignments.size() != 1) {
        throw new ProgramException(alignments.size() + " lines of alignment, not 1");
      }
      return new Program(
          bounds.getFirst(), alignments.getFirst(), regions, inputs, setup, steps, slots, outputs);
    } catch (IrException e) {
      throw new ProgramException(e.getMessage(), e);
    }
  }

  private static void named(RecordParser in, Map<String, Operand.View> views) {
    var name = in.string();
    if (views.put(name, (Operand.View) in.any(Operand.View.class)) != null) {
      throw in.error("two inputs or outputs named " + name);
    }
  }

  private static Launch launch(RecordParser in) {
    var result = (Operand.View) in.any(Operand.View.class);
    in.expect("=");
    Op op = in.op();
    in.expect("with");
    in.expect("[");
    var operands = new ArrayList<Operand>();
    while (!in.accept("]")) operands.add((Operand) in.any(Operand.class));
    return new Launch(op.map(parameter -> formal(parameter, operands)), operands, result);
  }

  private static Value formal(Value parameter, List<Operand> operands) {
    int id = parameter.id();
    if (id < 0 || id >= operands.size()) {
      throw new ProgramException("no operand " + id + " among " + operands);
    }
    return Launch.formal(id, operands.get(id).type());
  }
}
