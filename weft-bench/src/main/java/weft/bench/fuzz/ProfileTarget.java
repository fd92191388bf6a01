package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import weft.cli.CliException;
import weft.cli.ProfileFile;

/** Profiles (weft.toml): whatever the text is, it is a profile or a sentence. */
final class ProfileTarget implements Target {
  private static final Path FILE = Path.of("weft.toml");

  private static final TextMutation WORDS =
      new TextMutation(
          List.of(
              "threads",
              "kv",
              "prefill",
              "decode",
              "specialization",
              "capacity",
              "smallest",
              "largest",
              "fusions",
              "dispatch",
              "[prefill]",
              "[decode]",
              "[decode.fusions]",
              "[[decode]]",
              "\"exact\"",
              "\"buckets\"",
              "\"symbolic\"",
              "\"f16\"",
              "\"f32\"",
              "\"q8_0\"",
              "fold-norm",
              "linear",
              "\"reference\"",
              "\"native\"",
              "true",
              "false",
              "= ",
              "\n",
              "[",
              "]",
              "{",
              "}",
              ".",
              "\"\"\"",
              "'''",
              "#",
              "1979-05-27T07:32:00Z",
              "inf",
              "nan",
              "0x10",
              "1_000",
              "1e9999",
              "+",
              "-",
              "\\u0000",
              "\\U0010FFFF",
              "\"",
              "'"));

  @Override
  public String name() {
    return "profile";
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.of(
            """
            threads = 4
            kv = "f16"

            [prefill]
            specialization = "buckets"
            smallest = 16
            largest = 512
            fusions = { fold-norm = false }

            [decode]
            specialization = "exact"
            capacity = 8
            [decode.dispatch]
            linear = "reference"
            """,
            "decode.specialization = 'symbolic'\n")
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return WORDS.mutate(input, other, draw);
  }

  @Override
  public void run(byte[] input) {
    ProfileFile.parse(FILE, new String(input, StandardCharsets.UTF_8));
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof CliException;
  }

  @Override
  public long mostAllocated() {
    return 16L << 20;
  }
}
