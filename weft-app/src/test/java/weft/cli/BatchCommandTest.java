package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchCommandTest {
  @TempDir private Path folder;

  @Test
  void aFileIsAnsweredAndTheSameCommandGoesOn() throws IOException {
    var line =
        """
        {"custom_id":"%s","method":"POST","url":"/v1/completions",\
        "body":{"prompt":[3,4,5],"max_tokens":2,"ignore_eos":true}}
        """;
    var in = folder.resolve("in.jsonl");
    var out = folder.resolve("out.jsonl");
    Files.writeString(in, line.formatted("a") + "nonsense\n");
    var first = Cli.run("batch", in.toString(), out.toString(), "--json");
    assertThat(first.status()).as(first.err()).isZero();
    assertThat(first.json().get("completed").intValue()).isEqualTo(1);
    assertThat(first.json().get("failed").intValue()).isEqualTo(1);
    assertThat(first.json().get("completion_tokens").intValue()).isEqualTo(2);
    Files.writeString(in, line.formatted("a") + "nonsense\n" + line.formatted("b"));
    var second = Cli.run("batch", in.toString(), out.toString());
    assertThat(second.status()).as(second.err()).isZero();
    assertThat(second.out()).isEmpty();
    assertThat(second.err()).contains("3 lines: 1 answered, 0 failed, 2 answered before");
    assertThat(Files.readAllLines(out)).hasSize(3);
  }

  @Test
  void whatIsMissingIsSaid() {
    assertThat(Cli.run("batch", "in.jsonl").status()).isEqualTo(2);
    var absent = Cli.run("batch", "absent.jsonl", "out.jsonl");
    assertThat(absent.status()).isEqualTo(1);
    assertThat(absent.err()).contains("absent.jsonl does not exist");
  }
}
