package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The disassembler of binutils, as the judge of what was encoded. */
public final class Objdump {
  private static final Pattern NEGATIVE =
      Pattern.compile(",0x([89a-f][0-9a-f]{7}|[89a-f][0-9a-f]{15})$");

  private static final Pattern SPACES = Pattern.compile("\\s+");

  private static final Pattern INSTRUCTION = Pattern.compile(" *[0-9a-f]+:\t.*");

  private Objdump() {}

  /** Aborts a test, aloud, where there is no objdump. */
  public static void assumeThere() throws InterruptedException {
    assumeTrue(
        isThere(), "SKIPPED: objdump (binutils) is absent, so nothing checks the encoder here");
  }

  /** A line of a listing in the spelling of {@link #read}: its offset, then the instruction. */
  public static String spelled(Code.Line line) {
    return Integer.toHexString(line.offset()) + " " + signed(line.text().replace(", ", ","));
  }

  private static boolean isThere() throws InterruptedException {
    try {
      var process = new ProcessBuilder("objdump", "--version").redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  /** What objdump reads in the code, a line for each instruction. */
  public static List<String> read(byte[] code, Path folder) throws Exception {
    var file = Files.write(folder.resolve("code.bin"), code);
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
      if (INSTRUCTION.matcher(line).matches()) {
        int colon = line.indexOf(":\t");
        lines.add(line.substring(0, colon).strip() + " " + fromObjdump(line.substring(colon + 2)));
      }
    }
    return lines;
  }

  /** Objdump's spelling in ours: its choices of spaces, zero displacements and unsigned numbers. */
  private static String fromObjdump(String text) {
    var line = text.toLowerCase(Locale.ROOT).replace("{evex} ", "").replace("+0x0]", "]");
    int remark = line.indexOf(" #");
    line = SPACES.matcher(remark < 0 ? line : line.substring(0, remark)).replaceAll(" ").strip();
    if (line.endsWith(",1")) line = line.substring(0, line.length() - 1) + "0x1";
    return signed(line);
  }

  /** A number whose highest bit is set may be written in two ways; here it is negative. */
  private static String signed(String line) {
    var negative = NEGATIVE.matcher(line);
    if (!negative.find()) {
      return line;
    }
    var digits = negative.group(1);
    long value = Long.parseUnsignedLong(digits, 16);
    return line.substring(0, negative.start())
        + ","
        + new Imm(digits.length() == 8 ? (int) value : value);
  }
}
