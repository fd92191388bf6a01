package weft.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weft.generate.PrefixCache.Beginning;

/**
 * The replies in the making and the memory they share: who is seated begins with what earlier texts
 * have of its own, and who came last gives way where memory runs out. Owns the sequences. Belongs
 * to the engine's thread.
 */
final class Seats implements AutoCloseable {
  /** So many tokens are worth waiting a step or a few for another to feed them. */
  private static final int WORTH_WAITING = 16;

  /** So many are worth a state that is kept for them: a page of positions. */
  private static final int WORTH_KEEPING = 64;

  /** So long a reply is taken to become, where there is no telling, when memory is looked at. */
  private static final int EXPECTED = 128;

  /** What becomes of one who asks to be seated. */
  enum Answer {
    SEATED,
    /** Another is about to feed what this one begins with. */
    AWAITS_ANOTHER,
    /** There is no memory until others end. */
    AWAITS_MEMORY
  }

  private final Model model;
  private final Capacity capacity;
  private final Tally tally;
  private final int longest;
  private final Workspace workspace;
  private final PrefixCache cache;
  private final Batch batch;
  private final List<Place> seated = new ArrayList<>();
  private final List<Place> parked = new ArrayList<>();

  /** Ends of prompts that are kept for replies which have yet to begin. */
  private final List<Siblings> ends = new ArrayList<>();

  Seats(Model model, Capacity capacity, Tally tally, LongSupplier nanos) {
    this.model = model;
    this.capacity = capacity;
    this.tally = tally;
    this.longest = longest(model);
    this.workspace = new Workspace(model.vocabularySize());
    this.cache = new PrefixCache(model, capacity.cacheShare());
    this.batch = new Batch(model, capacity.budget(), this::relieve, nanos);
  }

  /** The longest text that the model's memory holds when it is alone, within the context. */
  static int longest(Model model) {
    long budget = model.memory().budget();
    int fits = 0;
    for (int low = 1, high = model.contextLength(); low <= high; ) {
      int middle = (low + high) >>> 1;
      if (model.bytesFor(middle) <= budget) {
        fits = middle;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return fits;
  }

  boolean isFull() {
    return seated.size() == capacity.parallel();
  }

  boolean isEmpty() {
    return seated.isEmpty();
  }

  /** Begins a reply, or goes on with one, if its time has come; throws what is wrong with it. */
  Answer seat(Place place) {
    Turn turn =
        place.turn(
            ticket -> new Turn(model, longest, ticket.request(), workspace, ticket::isCancelled));
    if (!turn.hasBegun()) {
      if (place.siblings().end().isPresent()) return join(place, turn);
      if (isReadBySibling(place)) return Answer.AWAITS_ANOTHER;
    }
    int[] text = turn.known().toArray();
    Optional<Beginning> beginning = beginning(place, text);
    if (isFedByAnother(place, text, beginning)) return Answer.AWAITS_ANOTHER;
    if (!hasRoom(turn, beginning) && !seated.isEmpty()) return Answer.AWAITS_MEMORY;
    Optional<Sequence> sequence = sequence(place, text, beginning);
    if (sequence.isEmpty()) return Answer.AWAITS_MEMORY;
    if (turn.begin(sequence.get())) {
      tally.begun(text.length, sequence.get().position());
      place.siblings().reads(place);
      if (place.siblings().areWaiting()) turn.keepPromptRow();
    }
    seated.add(place);
    batch.add(turn);
    return Answer.SEATED;
  }

  private boolean isReadBySibling(Place place) {
    return place
        .siblings()
        .reader()
        .filter(seated::contains)
        .filter(reader -> !reader.turn().isDone() && reader.turn().generated() == 0)
        .isPresent();
  }

  /** Begins a reply where a sibling has read the prompt. */
  private Answer join(Place place, Turn turn) {
    Siblings siblings = place.siblings();
    Sequence end = siblings.end().orElseThrow();
    Optional<Beginning> beginning = Optional.of(new Beginning(end, end.position()));
    if (!hasRoom(turn, beginning) && !seated.isEmpty()) return Answer.AWAITS_MEMORY;
    try {
      turn.begin(end.fork(end.position()));
    } catch (StepRefusedException refusal) {
      // What is kept for them is the first to go; each reads for itself then.
      siblings.giveUp();
      return Answer.AWAITS_ANOTHER;
    }
    tally.begun(turn.known().length(), end.position());
    Logits row = siblings.row();
    siblings.joined();
    seated.add(place);
    batch.add(turn);
    try {
      turn.goOnFrom(row);
    } catch (Throwable foreign) {
      turn.fail(Batch.wrap("the turn's own code failed (sampling, text or listener)", foreign));
    }
    return Answer.SEATED;
  }

  /** Where somebody has read a prompt that others are to begin from, its end is kept for them. */
  private void keepEnd(Place place) {
    Siblings siblings = place.siblings();
    Turn turn = place.turn();
    Optional<float[]> row = turn.takePromptRow();
    if (row.isEmpty() || turn.hasFailed() || !siblings.areWaiting()) return;
    int length = place.ticket().request().prompt().length;
    try {
      Sequence end = turn.sequence().fork(length);
      if (end.position() == length) {
        siblings.read(end, row.get());
        ends.removeIf(each -> each.end().isEmpty());
        ends.add(siblings);
      } else {
        end.close();
      }
    } catch (StepRefusedException full) {
      // Each reads the prompt for itself.
    }
  }

  /** Where most of a text can be had from: texts at rest and those in the making. */
  private Optional<Beginning> beginning(Place place, int[] text) {
    Optional<Beginning> best = cache.find(place.isolation(), text);
    for (Place other : seated) {
      if (!other.isolation().equals(place.isolation())) continue;
      Sequence sequence = other.turn().sequence();
      int shared = Math.min(sequence.tokens().sharedPrefix(text), text.length - 1);
      int reached = sequence.session().nearest(shared);
      if (reached > best.map(Beginning::length).orElse(0)) {
        best = Optional.of(new Beginning(sequence, reached));
      }
    }
    return best;
  }

  /**
   * Whether somebody seated, and not after this one in order, is yet to feed so much of what this
   * one begins with that it pays to wait for it. Where states stop only here and there, the other
   * is told where to leave one.
   */
  private boolean isFedByAnother(Place place, int[] text, Optional<Beginning> beginning) {
    int had = beginning.map(Beginning::length).orElse(0);
    for (Place other : seated) {
      Turn turn = other.turn();
      if (!other.isolation().equals(place.isolation())
          || other.priority().compareTo(place.priority()) > 0) {
        continue;
      }
      int shared = Math.min(turn.known().sharedPrefix(text), text.length - 1);
      if (shared > turn.sequence().position() && shared - had >= WORTH_WAITING) {
        if (!model.rewindsAnywhere()) turn.pauseAt(shared);
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a text and what is expected of its reply fit beside what others have and are expected
   * to need; texts at rest go for it.
   */
  private boolean hasRoom(Turn turn, Optional<Beginning> beginning) {
    if (!model.memory().isBounded()) return true;
    int had = beginning.map(Beginning::length).orElse(0);
    long needed = expected(turn) - model.bytesFor(had) + model.bytesFor(0);
    for (Place other : seated) {
      long held = model.bytesFor(other.turn().sequence().position());
      needed += Math.max(0, expected(other.turn()) - held);
    }
    while (model.memory().free() < needed) {
      if (!cache.evict(beginning)) return false;
    }
    return true;
  }

  private long expected(Turn turn) {
    return model.bytesFor(
        Math.min(longest, turn.known().length() + Math.min(EXPECTED, turn.left())));
  }

  /**
   * A sequence that has seen what can be had of a text; none where others have to end first. A
   * refusal that nobody here can help with is thrown.
   */
  private Optional<Sequence> sequence(Place place, int[] text, Optional<Beginning> first) {
    Optional<Beginning> beginning = first;
    while (true) {
      try {
        return Optional.of(
            beginning.isPresent()
                ? cache.begin(place.isolation(), beginning.get())
                : Sequence.open(model));
      } catch (StepRefusedException refusal) {
        if (cache.evict(Optional.empty())) {
          beginning = beginning(place, text);
        } else if (seated.isEmpty()) {
          throw refusal;
        } else {
          return Optional.empty();
        }
      }
    }
  }

  /** A pass that nobody waits for, while nobody sits; says whether it was the last of them. */
  boolean rehearse(Rehearsal rehearsal) {
    return batch.rehearse(rehearsal);
  }

  /** One forward pass for all. */
  void step() {
    batch.step().ifPresent(fed -> tally.stepped(fed.turns(), fed.tokens(), fed.generated()));
    seated.forEach(this::keepEnd);
    if (!model.rewindsAnywhere()) seated.forEach(this::keepStop);
  }

  /**
   * Where a state stops only here and there, one is kept where others are known to part from this
   * text, and behind the prompt, where the next turn of a conversation often does.
   */
  private void keepStop(Place place) {
    Turn turn = place.turn();
    if (turn.isDone() || !turn.takeStop() || turn.sequence().position() < WORTH_KEEPING) return;
    try {
      cache.keep(place.isolation(), turn.sequence().fork(turn.sequence().position()));
    } catch (StepRefusedException full) {
      // It is better kept than not, but nobody is refused for it.
    }
  }

  /**
   * Makes room for a step: by a text at rest, then by what is kept only to go back to, then by what
   * drafters hold, then by the reply that came last, which goes on later. False when there is one
   * reply only.
   */
  private boolean relieve() {
    if (cache.evict(Optional.empty())) return true;
    if (ends.stream().anyMatch(Siblings::giveUp)) return true;
    long before = model.memory().used();
    for (Place place : seated) {
      if (place.turn().isDone()) place.turn().leave().ifPresent(Sequence::close);
      else place.turn().sequence().session().slim();
    }
    if (model.memory().used() < before) return true;
    for (Place place : seated) place.turn().relieve();
    if (model.memory().used() < before) return true;
    List<Place> running = seated.stream().filter(place -> !place.turn().isDone()).sorted().toList();
    if (running.size() < 2) return false;
    park(running.getLast());
    return true;
  }

  private void park(Place place) {
    seated.remove(place);
    batch.remove(place.turn());
    parked.add(place);
    tally.preempted();
    place.turn().leave().ifPresent(Sequence::close);
  }

  /** Those who gave way since they were asked for last, and wait again. */
  List<Place> takeParked() {
    var gone = List.copyOf(parked);
    parked.clear();
    return gone;
  }

  /** Those whose turn is done leave; {@code end} is called once their memory is theirs no more. */
  void settle(Consumer<Place> end) {
    var leaving = seated.stream().filter(place -> place.turn().isDone()).toList();
    seated.removeAll(leaving);
    for (Place place : leaving) {
      batch.remove(place.turn());
      vacate(place);
      end.accept(place);
    }
    tally.cachedTexts(cache.size());
  }

  /** A text stays for those that begin like it, unless its state is in doubt. */
  private void vacate(Place place) {
    Turn turn = place.turn();
    try {
      turn.leave()
          .ifPresent(
              sequence -> {
                if (turn.hasFailed()) sequence.close();
                else cache.keep(place.isolation(), sequence);
              });
    } catch (RuntimeException unclosed) {
      turn.fail(Batch.wrap("the text could not be put away", unclosed));
    }
  }

  void forEach(Consumer<Place> action) {
    seated.forEach(action);
  }

  /** Texts at rest go; nobody is seated. */
  @Override
  public void close() {
    ends.forEach(Siblings::giveUp);
    cache.close();
  }
}
