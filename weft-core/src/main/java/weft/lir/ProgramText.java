package weft.lir;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
        var in = new RecordParser(line, id -> null);
        switch (in.word("a part of a program")) {
          case "bounds" -> bounds.add((Bounds) in.record(Bounds.class));
          case "region" -> regions.add((Region) in.record(Region.class));
          case "slot" -> slots.add((Slot) in.any(Slot.class));
          case "setup" -> setup.add(launch(line.substring("setup ".length())));
          case "step" -> steps.add(launch(line.substring("step ".length())));
          case "output" -> outputs.put(in.string(), (Operand.View) in.any(Operand.View.class));
          default -> throw in.error("no part of a program starts so");
        }
      }
      if (bounds.size() != 1) throw new ProgramException(bounds.size() + " lines of bounds, not 1");
      return checked(new Program(bounds.getFirst(), regions, setup, steps, slots, outputs));
    } catch (IrException e) {
      throw new ProgramException(e.getMessage(), e);
    }
  }

  private static Launch launch(String line) {
    // Operands come last but type the op's parameters, so they are read first.
    int with = line.lastIndexOf(" with [");
    if (with < 0) throw new ProgramException("a launch without operands: " + line);
    var tail = new RecordParser(line.substring(with + " with [".length()), id -> null);
    var operands = new ArrayList<Operand>();
    while (!tail.accept("]")) operands.add((Operand) tail.any(Operand.class));
    tail.end();
    var head =
        new RecordParser(
            line.substring(0, with),
            id -> {
              if (id >= operands.size())
                throw new ProgramException("no operand " + id + ": " + line);
              return Launch.formal(id, operands.get(id).type());
            });
    var result = (Operand.View) head.any(Operand.View.class);
    head.expect("=");
    Op op = head.op();
    head.end();
    return new Launch(op, operands, result);
  }

  /** Bounds before use: every view lies in its region, every op gives the type of its result. */
  private static Program checked(Program program) {
    for (int i = 0; i < program.regions().size(); i++) {
      var region = program.regions().get(i);
      if (region.id() != i || region.offset() < 0 || region.bytes() < 0) {
        throw new ProgramException("region " + region + " at place " + i);
      }
    }
    for (var list : List.of(program.setup(), program.steps())) {
      for (var launch : list) {
        check(program, launch.result());
        for (var operand : launch.operands()) {
          if (operand instanceof Operand.View view) check(program, view);
        }
        if (!launch.op().infer().equals(launch.result().type())) {
          throw new ProgramException("the result's type is not the op's: " + line(launch));
        }
      }
    }
    program.outputs().values().forEach(view -> check(program, view));
    return program;
  }

  private static void check(Program program, Operand.View view) {
    if (view.buffer() < 0
        || view.buffer() >= program.regions().size()
        || view.offset() < 0
        || view.strides().size() != view.type().rank()
        || view.strides().stream().anyMatch(s -> s < 0)) {
      throw new ProgramException("a view of no buffer: " + view);
    }
    long last = view.offset();
    for (int axis = 0; axis < view.type().rank(); axis++) {
      long size = program.bounds().size(view.type().dim(axis));
      last = Math.addExact(last, Math.multiplyExact(size - 1, (long) view.strides().get(axis)));
    }
    if ((last + 1) * Float.BYTES > program.regions().get(view.buffer()).bytes()) {
      throw new ProgramException("a view beyond its buffer: " + view);
    }
  }
}
