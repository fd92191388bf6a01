package weft.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every parser is fuzzed for a while with each day's seed; {@code weft-bench/fuzz} does more. */
class CampaignTest {
  private static final List<String> DAILY =
      List.of("--minutes", "0.35", "--threads", "2", "--seed", "" + LocalDate.now().toEpochDay());

  @TempDir Path folder;

  @Test
  void noInputOfTodayBreaksAParser() throws IOException, InterruptedException {
    var arguments = new ArrayList<>(DAILY);
    arguments.addAll(List.of("--work", folder.toString()));
    var options = Options.of(arguments);
    var said = new ByteArrayOutputStream();
    boolean isClean =
        new Campaign(options, Targets.named(options), new PrintStream(said, true)).run();
    System.out.println(said);
    assertThat(isClean).as("%s", said).isTrue();
  }

  /** A seed that is refused leads nowhere. */
  @ParameterizedTest
  @MethodSource("targets")
  void everySeedIsRead(Target target) {
    var refused =
        target.seeds().stream()
            .filter(seed -> !(Execution.of(target, seed) instanceof Execution.Outcome.Read))
            .map(String::new);
    assertThat(refused).as(target.name()).isEmpty();
  }

  static List<Target> targets() {
    return Targets.all();
  }

  private Options planted() {
    return Options.of(
        List.of(
            "--minutes=0.01",
            "--threads=1",
            "--seed=1",
            "--work=" + folder,
            "--targets=" + Planted.class.getName()));
  }

  private String stories() {
    return new Findings(planted().findings())
        .of(new Planted()).stream().map(Findings::story).collect(Collectors.joining("\n"));
  }

  @Test
  void everyKindOfFaultIsFoundAndKept() throws IOException, InterruptedException {
    var nobody = new PrintStream(PrintStream.nullOutputStream());
    assertThat(new Campaign(planted(), List.of(new Planted()), nobody).run()).isFalse();
    assertThat(stories())
        .contains("IllegalStateException: planted")
        .contains("StackOverflowError")
        .contains("OutOfMemoryError")
        .contains("planted allocated")
        .contains("weft-bench/fuzz --reproduce " + folder);
  }

  @Test
  void whatEndsAWorkerIsFoundInAnotherProcess() throws IOException, InterruptedException {
    var log = Files.createFile(folder.resolve("log"));
    var said = new ByteArrayOutputStream();
    var findings = new Findings(planted().findings());
    var suspects = new Suspects(planted(), findings, new PrintStream(said, true));
    for (var input : List.of("fine spin", "fine halt", "fine words")) {
      suspects.examine(new Planted(), input.getBytes(), log);
    }
    assertThat(stories())
        .contains("slow at weft.bench.fuzz.Planted.spin")
        .contains("the process ended with status 99");
    assertThat(findings.of(new Planted())).hasSize(2);
    assertThat(said.toString()).contains("alone it does nothing bad");
  }

  @Test
  void whatIsFoundIsMadeSmall() {
    var target = new Planted();
    var input = "a fine day to throw a ball".getBytes();
    var finding = Execution.finding(target, input).orElseThrow();
    assertThat(new String(Minimizer.smallest(target, finding.key(), input, 1_000)))
        .isEqualTo("finethrow");
  }

  @Test
  void aGrownCorpusIsWhatTheNextRunBeginsWith() throws IOException {
    var first = new Corpus(folder.resolve("corpus"));
    first.add(new byte[] {1, 2, 3}, 1, true);
    assertThat(new Corpus(folder.resolve("corpus")).arrivals())
        .containsExactly(new byte[] {1, 2, 3});
    assertThat(Files.list(folder.resolve("corpus"))).hasSize(1);
  }
}
