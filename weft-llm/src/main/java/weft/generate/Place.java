package weft.generate;

import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

/**
 * A request's place in an engine, from its coming to its end: those of a higher priority come
 * first, then those who came first. What it has made so far stays with it while it waits again. All
 * but its order belongs to the engine's thread.
 */
final class Place implements Comparable<Place> {
  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::priority).thenComparing(place -> place.order);

  private final Ticket ticket;
  private final long order;
  private final Siblings siblings;
  private Optional<Turn> turn = Optional.empty();

  Place(Ticket ticket, long order, Siblings siblings) {
    this.ticket = ticket;
    this.order = order;
    this.siblings = siblings;
  }

  Ticket ticket() {
    return ticket;
  }

  /** It, and those that were asked for with it. */
  Siblings siblings() {
    return siblings;
  }

  /** Whether it ever had a sequence. */
  boolean hasBegun() {
    return turn.map(Turn::hasBegun).orElse(false);
  }

  Priority priority() {
    return ticket.request().priority();
  }

  String isolation() {
    return ticket.request().isolation();
  }

  /** Its turn, which is made the first time it is asked for. */
  Turn turn(Function<Ticket, Turn> make) {
    if (turn.isEmpty()) turn = Optional.of(make.apply(ticket));
    return turn.get();
  }

  /** The turn of one that has been seated. */
  Turn turn() {
    return turn.orElseThrow(() -> new IllegalStateException("the turn has not been made"));
  }

  boolean hasTurn() {
    return turn.isPresent();
  }

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
