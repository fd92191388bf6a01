package weft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
  private static final String MODEL = Cli.golden("gguf/llama-untied-f32.gguf");

  @Test
  void showsPassesLaunchesAndBuffers() {
    var result = Cli.run("explain", MODEL);
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .startsWith("decode for cpu")
        .contains("compiled in")
        .containsPattern("fuse-glu +\\d+")
        .containsPattern("project attn_q\\+attn_k\\+attn_v +(emitted|portable) ")
        .contains("without sharing");
  }

  @Test
  void printsTheGraphAfterAPass() {
    var before = Cli.run("explain", MODEL, "--after", "model").out();
    var after = Cli.run("explain", MODEL, "--after", "fuse-glu", "--phase", "prefill").out();
    assertThat(before).contains(" = zip MUL").doesNotContain(" = glu ");
    assertThat(after).contains(" = glu ");
  }

  @Test
  void saysWhatIsNeededBeforeLoading() {
    var result = Cli.run("explain", MODEL, "--check");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("decode, steps of up to")
        .contains("prefill, steps of up to")
        .containsPattern("weights +\\S+ \\S+ +mapped")
        .contains("all of it fits");
    var json = Cli.run("explain", MODEL, "--check", "--json").json();
    assertThat(json.at("/memory/needed_bytes").longValue()).isPositive();
    assertThat(json.at("/phases/decode/launches").size()).isPositive();
    var small = Cli.run("explain", MODEL, "--check", "--memory", "1");
    assertThat(small.status()).isEqualTo(1);
    assertThat(small.err()).contains("are available");
  }

  @Test
  void showsWhatEachOfSeveralDevicesHas() {
    var all = Cli.run("explain", MODEL, "--devices", "0,0", "--backend", "cpu");
    assertThat(all.out()).contains("for mesh-2-cpu").containsPattern("allreduce +collective +mesh");
    var cut = Cli.run("explain", MODEL, "--devices", "0,0", "--after", "divide").out();
    assertThat(cut).contains("share.rows.", "share.columns.", " = allreduce ");
  }

  @Test
  void anUnknownPassListsTheKnownOnes() {
    var result = Cli.run("explain", MODEL, "--after", "magic");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("no pass is called magic").contains("fuse-glu");
  }

  @Test
  void saysWhatTheProfileForces(@TempDir Path folder) throws IOException {
    var profile =
        Files.writeString(
            folder.resolve("p.toml"), "[decode.dispatch]\nropeattend = \"reference\"\n");
    var result = Cli.run("explain", MODEL, "--profile", profile.toString());
    assertThat(result.out()).containsPattern("ropeattend +reference +\\S+ +the profile forces it");
  }

  @Test
  void saysThatKernelsArePortable() {
    var result = Cli.run("explain", MODEL, "--isa", "portable");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("portable +\\S+ +the device's kernels are portable: in Java");
  }

  @Test
  void theDocumentCountsBuffers() {
    var document = Cli.run("explain", MODEL, "--json").json();
    assertThat(document.propertyNames())
        .containsExactly(
            "phase", "target", "bounds", "compile_ms", "passes", "launches", "buffers");
    var buffers = document.get("buffers");
    assertThat(buffers.get("step_bytes").longValue())
        .isPositive()
        .isLessThan(buffers.get("unshared_bytes").longValue());
  }
}
