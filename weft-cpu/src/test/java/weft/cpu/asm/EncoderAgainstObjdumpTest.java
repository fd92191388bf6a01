package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What we wrote must be what another's disassembler reads, for every form of every instruction. */
class EncoderAgainstObjdumpTest {
  private static final int VARIATIONS = 24;

  private static final Pattern NEGATIVE =
      Pattern.compile(",0x([89a-f][0-9a-f]{7}|[89a-f][0-9a-f]{15})$");

  @TempDir Path folder;

  @Test
  void everyFormReadsBackAsItWasWritten() throws Exception {
    assumeTrue(
        hasObjdump(), "SKIPPED: objdump (binutils) is absent, so nothing checks the encoder here");
    var assembler = new Assembler();
    for (var op : instructions()) {
      for (var form : op.forms()) {
        if (!form.takesLabel()) {
          assertThat(append(assembler, op, form)).as(op + " " + form.text()).isPositive();
        }
      }
    }
    var code = assembler.assemble();
    var ours = code.lines().stream().map(EncoderAgainstObjdumpTest::normalized).toList();
    var theirs = disassembled(code);
    assertThat(ours).hasSizeGreaterThan(5000);
    assertThat(theirs).containsExactlyElementsOf(ours);
  }

  @Test
  void branchesReadBackWithTheirTargets() throws Exception {
    assumeTrue(
        hasObjdump(), "SKIPPED: objdump (binutils) is absent, so nothing checks the encoder here");
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
    assertThat(disassembled(code)).startsWith(ours.toArray(String[]::new));
  }

  /** The line as objdump resolves it: targets absolute, constants relative to the next line. */
  private static String withAddresses(Code.Line line, Map<String, Integer> places) {
    int next = line.offset() + line.length();
    return normalized(line)
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

  private static boolean hasObjdump() throws InterruptedException {
    try {
      var process = new ProcessBuilder("objdump", "--version").redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  private List<String> disassembled(Code code) throws Exception {
    var file = Files.write(folder.resolve("code.bin"), code.bytes());
    var command =
        List.of(
            "objdump",
            "-D",
            "-w",
            "--no-show-raw-insn",
            "-b",
            "binary",
            "-m",
            "i386:x86-64",
            "-M",
            "intel",
            file.toString());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    var lines = new ArrayList<String>();
    for (var line : text.split("\n")) {
      if (line.matches(" *[0-9a-f]+:\t.*")) {
        int colon = line.indexOf(":\t");
        lines.add(line.substring(0, colon).strip() + " " + fromObjdump(line.substring(colon + 2)));
      }
    }
    return lines;
  }

  private static String normalized(Code.Line line) {
    return Integer.toHexString(line.offset()) + " " + line.text().replace(", ", ",");
  }

  /** Objdump's spelling in ours: its choices of spaces, zero displacements and unsigned numbers. */
  private static String fromObjdump(String text) {
    var line =
        text.toLowerCase(Locale.ROOT)
            .replace("{evex} ", "")
            .replaceAll(" +#.*", "")
            .replaceAll("\\s+", " ")
            .replace("+0x0]", "]")
            .replaceAll(",1$", ",0x1")
            .strip();
    var negative = NEGATIVE.matcher(line);
    if (!negative.find()) {
      return line;
    }
    var digits = negative.group(1);
    long value = Long.parseUnsignedLong(digits, 16);
    long signed = digits.length() == 8 ? (int) value : value;
    return line.substring(0, negative.start()) + "," + new Imm(signed);
  }
}
