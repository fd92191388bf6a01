package weft.lir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import weft.ir.IrException;
import weft.ir.Op;
import weft.ir.RecordParser;
import weft.ir.RecordText;
import weft.ir.Slot;

/** A program as text, a line a part; it parses back to the same program. */
public final class ProgramText {
  private ProgramText() {}

  public static String print(Program program) {
    var out = new StringBuilder();
    out.append("bounds ").append(RecordText.parts(program.bounds())).append('\n');
    for (var region : program.regions()) {
      out.append("region ").append(RecordText.parts(region)).append('\n');
    }
    for (var slot : program.slots()) {
      out.append("slot ").append(RecordText.text(slot)).append('\n');
    }
    for (var launch : program.setup()) out.append("setup ").append(line(launch)).append('\n');
    for (var launch : program.steps()) out.append("step ").append(line(launch)).append('\n');
    program
        .outputs()
        .forEach(
            (name, view) ->
                out.append("output ")
                    .append(name)
                    .append(' ')
                    .append(RecordText.text(view))
                    .append('\n'));
    return out.toString();
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
    var outputs = new LinkedHashMap<String, Operand.View>();
    try {
      for (var line : text.lines().toList()) {
        var in = plain(line);
        switch (in.word("a part of a program")) {
          case "bounds" -> bounds.add((Bounds) in.record(Bounds.class));
          case "region" -> regions.add((Region) in.record(Region.class));
          case "slot" -> slots.add((Slot) in.any(Slot.class));
          case "setup" -> setup.add(launch(in.rest()));
          case "step" -> steps.add(launch(in.rest()));
          case "output" -> outputs.put(in.string(), (Operand.View) in.any(Operand.View.class));
          default -> throw in.error("no part of a program starts so");
        }
        in.end();
      }
      if (bounds.size() != 1) throw new ProgramException(bounds.size() + " lines of bounds, not 1");
      return ProgramCheck.checked(
          new Program(bounds.getFirst(), regions, setup, steps, slots, outputs));
    } catch (IrException e) {
      throw new ProgramException(e.getMessage(), e);
    }
  }

  /** A parser for what holds no values of a graph. */
  private static RecordParser plain(String line) {
    return new RecordParser(
        line,
        id -> {
          throw new ProgramException("%" + id + " where no value can stand: " + line);
        });
  }

  private static Launch launch(String line) {
    // Operands come last but type the op's parameters, so they are read first.
    int with = line.lastIndexOf(" with [");
    if (with < 0) throw new ProgramException("a launch without operands: " + line);
    var tail = plain(line.substring(with + " with [".length()));
    var operands = new ArrayList<Operand>();
    while (!tail.accept("]")) operands.add((Operand) tail.any(Operand.class));
    tail.end();
    var head =
        new RecordParser(
            line.substring(0, with),
            id -> {
              if (id < 0 || id >= operands.size()) {
                throw new ProgramException("no operand " + id + ": " + line);
              }
              return Launch.formal(id, operands.get(id).type());
            });
    var result = (Operand.View) head.any(Operand.View.class);
    head.expect("=");
    Op op = head.op();
    head.end();
    return new Launch(op, operands, result);
  }
}
