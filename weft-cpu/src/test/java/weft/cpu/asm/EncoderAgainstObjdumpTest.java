package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What we wrote must be what another's disassembler reads, for every form of every instruction. */
class EncoderAgainstObjdumpTest {
  private static final int VARIATIONS = 24;

  @TempDir Path folder;

  @Test
  void everyFormReadsBackAsItWasWritten() throws Exception {
    Objdump.assumeThere();
    var assembler = new Assembler();
    for (var op : instructions()) {
      for (var form : op.forms()) {
        if (!form.takesLabel()) {
          assertThat(append(assembler, op, form)).as(op + " " + form.text()).isPositive();
        }
      }
    }
    var code = assembler.assemble();
    var ours = code.lines().stream().map(Objdump::spelled).toList();
    var theirs = Objdump.read(code.bytes(), folder);
    assertThat(ours).hasSizeGreaterThan(5000);
    assertThat(theirs).containsExactlyElementsOf(ours);
  }

  @Test
  void branchesReadBackWithTheirTargets() throws Exception {
    Objdump.assumeThere();
    var assembler = new Assembler();
    var start = assembler.label("start");
    var end = assembler.label("end");
    var constant = assembler.ints("constant", 1, 2, 3, 4);
    assembler.bind(start);
    for (var op : BaseOp.values()) {
      if (op.forms().getFirst().takesLabel()) {
        assembler.op(op, start);
        assembler.op(op, end);
      }
    }
    assembler.op(VectorOp.VPSHUFD, Vec.zmm(20), Mem.at(constant), new Imm(3));
    assembler.op(VectorOp.VPBROADCASTD, Vec.ymm(3), Mem.at(constant));
    assembler.bind(end);
    assembler.op(BaseOp.RET);
    var code = assembler.assemble();
    var places = new HashMap<String, Integer>();
    code.lines().stream()
        .filter(l -> l.kind() == Code.Kind.LABEL)
        .forEach(l -> places.put(l.text().replace(":", ""), l.offset()));
    var ours = new ArrayList<String>();
    for (var line : code.lines()) {
      if (line.kind() == Code.Kind.INSTRUCTION) {
        ours.add(withAddresses(line, places));
      }
    }
    assertThat(Objdump.read(code.bytes(), folder)).startsWith(ours.toArray(String[]::new));
  }

  /** The line as objdump resolves it: targets absolute, constants relative to the next line. */
  private static String withAddresses(Code.Line line, Map<String, Integer> places) {
    int next = line.offset() + line.length();
    return Objdump.spelled(line)
        .replaceAll(" start$", " 0x" + Integer.toHexString(places.get("start")))
        .replaceAll(" end$", " 0x" + Integer.toHexString(places.get("end")))
        .replace("+constant]", "+0x" + Integer.toHexString(places.get("constant") - next) + "]");
  }

  private static int append(Assembler assembler, Op op, Form form) {
    int appended = 0;
    for (int variation = 0; variation < VARIATIONS; variation++) {
      var operands = new Samples(form, variation).operands();
      if (form.match(operands).isPresent()) {
        assembler.op(op, operands.toArray(Operand[]::new));
        appended++;
      }
    }
    return appended;
  }

  private static List<Op> instructions() {
    return Stream.<Op>concat(Stream.of(BaseOp.values()), Stream.of(VectorOp.values())).toList();
  }
}
