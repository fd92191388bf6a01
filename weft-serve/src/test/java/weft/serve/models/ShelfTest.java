package weft.serve.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import weft.load.LanguageModel;
import weft.load.LoadException;
import weft.serve.models.Shelf.State;

class ShelfTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  private final List<String> loads = new ArrayList<>();

  private Source source(String name) {
    return new Source(
        name,
        10,
        () -> {
          loads.add(name);
          return LanguageModel.builtIn();
        });
  }

  private static List<State> states(Shelf shelf) {
    return shelf.states().stream().map(Shelf.Status::state).toList();
  }

  private static void use(Shelf shelf, String name) {
    shelf.lend(name).orElseThrow().close();
  }

  @Test
  void theLeastRecentlyUsedMakesRoomAndBusyOnesAreSpared() {
    var all = List.of(source("a"), source("b"), source("c"));
    try (var shelf = new Shelf(all, new Room(25, 9), SHORT)) {
      assertThat(states(shelf)).containsOnly(State.UNLOADED);
      use(shelf, "a");
      use(shelf, "b");
      use(shelf, "a");
      use(shelf, "c");
      assertThat(states(shelf)).containsExactly(State.LOADED, State.UNLOADED, State.LOADED);
      try (var busy = shelf.lend("a").orElseThrow()) {
        use(shelf, "b");
        assertThat(states(shelf)).containsExactly(State.LOADED, State.LOADED, State.UNLOADED);
        try (var _ = shelf.lend("b").orElseThrow()) {
          assertThat(shelf.lend("c")).as("no room while both are in use").isEmpty();
        }
        assertThat(busy.model().contextLength()).isPositive();
      }
      assertThat(loads).containsExactly("a", "b", "c", "b");
    }
  }

  @Test
  void aFailureToLoadIsNotRemembered() {
    var tries = new AtomicInteger();
    var source =
        new Source(
            "a",
            1,
            () -> {
              if (tries.incrementAndGet() == 1) throw new LoadException("not today");
              return LanguageModel.builtIn();
            });
    try (var shelf = new Shelf(List.of(source), Room.UNBOUNDED, SHORT)) {
      assertThatThrownBy(() -> shelf.lend("a")).isInstanceOf(LoadException.class);
      assertThat(states(shelf)).containsExactly(State.UNLOADED);
      use(shelf, "a");
      assertThat(states(shelf)).containsExactly(State.LOADED);
    }
  }

  @Test
  void whatCannotBeServedIsSaidAtOnce() {
    assertThatThrownBy(() -> new Shelf(List.of(source("a"), source("a")), Room.UNBOUNDED, SHORT))
        .isInstanceOf(ServeException.class)
        .hasMessageContaining("two models are called a");
    assertThatThrownBy(() -> new Shelf(List.of(source("a")), new Room(5, 1), SHORT))
        .isInstanceOf(ServeException.class)
        .hasMessageContaining("takes 10 bytes");
    assertThatThrownBy(() -> new Shelf(List.of(), Room.UNBOUNDED, SHORT))
        .isInstanceOf(ServeException.class);
  }
}
