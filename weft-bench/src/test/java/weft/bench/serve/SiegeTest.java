package weft.bench.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import weft.load.LanguageModel;
import weft.load.LoadOptions;
import weft.serve.Server;
import weft.serve.ServerOptions;
import weft.serve.models.Room;
import weft.serve.models.Shelf;
import weft.serve.models.Source;

/** A short siege of a server in this process; {@code weft-bench/abuse} lays a long one. */
class SiegeTest {
  private static final String MODEL = "weft-tiny";

  @Test
  void guestsAreServedAmidAbuseAndAllSeatsAreFreeAfterwards() throws InterruptedException {
    var source = new Source(MODEL, 1, () -> LanguageModel.builtIn(LoadOptions.standard()));
    var shelf = new Shelf(List.of(source), Room.UNBOUNDED, Duration.ofSeconds(5));
    var impatient = Duration.ofSeconds(2);
    var options =
        ServerOptions.standard()
            .withPort(0)
            .withSilence(impatient)
            .withStall(impatient)
            .withGrace(impatient);
    try (var server = Server.start(shelf, options)) {
      var siege = new Siege(32, 2, Duration.ofSeconds(4), Duration.ofSeconds(3), 1);
      var outcome = siege.run(server.port());
      assertThat(outcome.findings()).isEmpty();
      assertThat(outcome.answered()).isPositive();
      assertThat(outcome.misdeeds()).isNotEmpty();
      assertThat(isFreeWithin(shelf, Duration.ofSeconds(20))).isTrue();
    }
  }

  private static boolean isFreeWithin(Shelf shelf, Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (System.nanoTime() < end) {
      var report = shelf.loaded().get(MODEL).report();
      if (report.running() == 0 && report.waiting() == 0) return true;
      Thread.sleep(50);
    }
    return false;
  }
}
