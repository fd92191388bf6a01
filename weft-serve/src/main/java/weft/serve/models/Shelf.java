package weft.serve.models;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import weft.load.LanguageModel;

/**
 * The models that a server has. Each is loaded when it is first asked for, and unloaded, the least
 * recently used first, where another needs its room; one that somebody uses is spared. Closing it
 * closes all of them. Safe for all threads.
 */
public final class Shelf implements AutoCloseable {
  /** Where a model is. */
  public enum State {
    UNLOADED,
    LOADING,
    LOADED,
    UNLOADING
  }

  /**
   * How a model fares.
   *
   * @param contextLength 0 where it was never loaded
   * @param isSeeing whether it takes images, as far as that is known
   * @param since when it was put on the shelf
   */
  public record Status(
      String name,
      State state,
      int users,
      long bytes,
      int contextLength,
      boolean isSeeing,
      Instant since) {}

  /** A model that is in use until this is closed; whoever is lent one closes it. */
  public static final class Lease implements AutoCloseable {
    private final Shelf shelf;
    private final Place place;
    private final LanguageModel model;
    private boolean isOver; // guarded by shelf

    private Lease(Shelf shelf, Place place, LanguageModel model) {
      this.shelf = shelf;
      this.place = place;
      this.model = model;
    }

    /** The name it is served under. */
    public String name() {
      return place.source.name();
    }

    public LanguageModel model() {
      return model;
    }

    @Override
    public void close() {
      synchronized (shelf) {
        if (isOver) return;
        isOver = true;
        place.users--;
        shelf.notifyAll();
      }
    }
  }

  /** One model's place; all of it is guarded by the shelf. */
  private static final class Place {
    private final Source source;
    private State state = State.UNLOADED;
    private Optional<LanguageModel> model = Optional.empty();
    private int users;
    private int contextLength;
    private boolean isSeeing;
    private long lastUse;
    private final Instant since = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    private Place(Source source) {
      this.source = source;
    }

    private boolean takesRoom() {
      return state != State.UNLOADED;
    }
  }

  private final Map<String, Place> places = new LinkedHashMap<>(); // guarded by this, as the rest
  private final Room room;
  private final Duration patience;
  private long uses;
  private boolean isClosed;

  /**
   * {@code patience} is how long a model that needs the room of busy ones waits for them.
   *
   * @throws ServeException where two have one name, or one could never be loaded
   */
  public Shelf(List<Source> sources, Room room, Duration patience) {
    if (sources.isEmpty()) throw new ServeException("there is no model to serve");
    for (var source : sources) {
      if (source.bytes() > room.bytes()) {
        throw new ServeException(
            "the model %s takes %d bytes, but all models together may take %d; allow more"
                .formatted(source.name(), source.bytes(), room.bytes()));
      }
      if (places.put(source.name(), new Place(source)) != null) {
        throw new ServeException("two models are called " + source.name() + "; rename one");
      }
    }
    this.room = room;
    this.patience = patience;
  }

  /** All names, the first served first. */
  public synchronized List<String> names() {
    return List.copyOf(places.keySet());
  }

  /** How all models fare, the first served first. */
  public synchronized List<Status> states() {
    return places.values().stream().map(Shelf::status).toList();
  }

  private static Status status(Place place) {
    return new Status(
        place.source.name(),
        place.state,
        place.users,
        place.source.bytes(),
        place.contextLength,
        place.isSeeing,
        place.since);
  }

  /** The models that are loaded now, which others may unload at any time. */
  public synchronized Map<String, LanguageModel> loaded() {
    var loaded = new LinkedHashMap<String, LanguageModel>();
    places.forEach((name, place) -> place.model.ifPresent(model -> loaded.put(name, model)));
    return loaded;
  }

  /**
   * A model to use, loaded first where it is not; empty where there was no room in time. A failure
   * to load is the asker's alone: the next one tries again.
   *
   * @throws ServeException where no model has this name, or the shelf is closed
   */
  public Optional<Lease> lend(String name) {
    var leaving = new ArrayList<Place>();
    Place place;
    synchronized (this) {
      place = places.get(name);
      if (place == null) throw new ServeException("no model is called " + name);
      long deadline = System.nanoTime() + patience.toNanos();
      while (true) {
        if (isClosed) throw new ServeException("the models are closed");
        if (place.state == State.LOADED) return Optional.of(lease(place));
        if (place.state == State.UNLOADED && findRoom(place.source.bytes(), leaving)) break;
        if (!await(deadline)) return Optional.empty();
      }
      place.state = State.LOADING;
    }
    leaving.forEach(this::unload);
    return Optional.of(load(place));
  }

  /** Unloads a model where it is loaded and nobody uses it. */
  public void release(String name) {
    Place place;
    synchronized (this) {
      place = places.get(name);
      if (place == null) throw new ServeException("no model is called " + name);
      if (isClosed || place.state != State.LOADED || place.users > 0) return;
      place.state = State.UNLOADING;
    }
    unload(place);
  }

  private Lease lease(Place place) {
    place.users++;
    place.lastUse = ++uses;
    return new Lease(this, place, place.model.orElseThrow());
  }

  /** Chooses who leaves for so many bytes; false where those who could are busy. */
  private boolean findRoom(long bytes, List<Place> leaving) {
    var there = new ArrayList<>(places.values().stream().filter(Place::takesRoom).toList());
    var idle =
        there.stream()
            .filter(place -> place.state == State.LOADED && place.users == 0)
            .sorted(Comparator.comparingLong(place -> place.lastUse))
            .iterator();
    leaving.clear();
    while (isFull(there, bytes)) {
      if (!idle.hasNext()) return false;
      var next = idle.next();
      there.remove(next);
      leaving.add(next);
    }
    leaving.forEach(place -> place.state = State.UNLOADING);
    return true;
  }

  private boolean isFull(List<Place> there, long bytes) {
    long taken = there.stream().mapToLong(place -> place.source.bytes()).sum();
    return there.size() >= room.models() || taken > room.bytes() - bytes;
  }

  /** Waits for a change; false when the time is over. */
  private boolean await(long deadline) {
    long left = deadline - System.nanoTime();
    if (left <= 0) return false;
    try {
      wait(Math.max(1, left / 1_000_000));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServeException("interrupted while waiting for a model", e);
    }
  }

  private void unload(Place place) {
    try {
      place.model.ifPresent(LanguageModel::close);
    } finally {
      synchronized (this) {
        place.model = Optional.empty();
        place.state = State.UNLOADED;
        notifyAll();
      }
    }
  }

  private Lease load(Place place) {
    var loaded = Optional.<LanguageModel>empty();
    try {
      loaded = Optional.of(place.source.load().get());
    } finally {
      synchronized (this) {
        place.model = loaded;
        place.state = loaded.isPresent() ? State.LOADED : State.UNLOADED;
        notifyAll();
      }
    }
    synchronized (this) {
      place.contextLength = loaded.get().contextLength();
      place.isSeeing = loaded.get().sight().isPresent();
      return lease(place);
    }
  }

  /** Ends all replies, whoever waits for them, and closes what is loaded. */
  @Override
  public void close() {
    List<LanguageModel> all;
    synchronized (this) {
      isClosed = true;
      notifyAll();
      all = places.values().stream().flatMap(place -> place.model.stream()).toList();
    }
    all.forEach(LanguageModel::close);
  }
}
