package weft.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import weft.generate.Model.Step;

/**
 * One reply in the making, for every family. Plain decoding is speculation with an empty draft:
 * each step feeds what is known and not yet fed, and then the guesses; each row of logits that
 * comes back gives one token, sampled as if there were no guesses, and a guess holds if it equals
 * its token.
 */
final class Turn {
  private static final int[] NOTHING = {};

  private sealed interface Phase {
    record Running() implements Phase {}

    record Ended(Finish finish) implements Phase {}

    record Failed(GenerateException error) implements Phase {}
  }

  private final Request request;
  private final BooleanSupplier cancelled;
  private final int vocabularySize;
  private final Guard guard;
  private final Sampler sampler;
  private final Transcript transcript;
  private final Stopwatch stopwatch = new Stopwatch();
  private final Tokens known;
  private Drafting drafting;
  private Tap tap;
  private final List<float[]> hidden = new ArrayList<>();

  private Phase phase = new Phase.Running();
  private Optional<Sequence> sequence = Optional.empty();
  private boolean hasBegun;
  private boolean isPromptRowKept;
  private Optional<float[]> promptRow = Optional.empty();
  private int cached;

  /** Tokens whose rows the drafter has seen before the turn gave its sequence back. */
  private int shown;

  /** Tokens that it was fed since it got its sequence. */
  private int fed;

  /** Whether it has said something since it got its sequence: others follow it. */
  private boolean isWriting;

  /**
   * Where the next step must end, and whether the last one ended where a state is worth keeping.
   */
  private int pause = Integer.MAX_VALUE;

  private boolean isAtStop;
  private int[] feeding = NOTHING;
  private int[] draft = NOTHING;
  private final Acceptance acceptance = Acceptance.ofTurn();
  private int lastHeld;
  private boolean hasAsked;
  private String undrafted = "";
  private int forwards;
  private int passes;
  private Guesses guesses = Guesses.NONE;

  /** {@code longest} is how many tokens the text may have that are fed. */
  Turn(Model model, int longest, Request request, Workspace workspace, BooleanSupplier cancelled) {
    request.requireFits(model);
    int[] prompt = request.prompt();
    // The last token is never fed, so the text may end one past what there is room for.
    int room = longest - prompt.length + 1;
    this.request = request;
    this.cancelled = cancelled;
    this.vocabularySize = model.vocabularySize();
    this.guard = new Guard(model);
    this.sampler = new Sampler(request.sampling(), mask(request), workspace);
    this.transcript =
        new Transcript(request, Math.min(request.stops().maxTokens(), room), workspace);
    this.known = Tokens.of(prompt);
    this.tap =
        drafter()
            .point()
            .map(at -> new Tap(at, (row, values) -> hidden.add(values)))
            .orElse(Tap.NONE);
    this.drafting = open(drafter());
  }

  private Drafting open(Drafter drafter) {
    try {
      return drafter.open(known);
    } catch (RuntimeException | Error foreign) {
      undrafted = Batch.reason(foreign);
      return Drafting.NONE;
    }
  }

  private static Mask mask(Request request) {
    Mask mask = request.mask().get();
    int minimum = request.stops().minTokens();
    return minimum == 0 ? mask : new MinimumLength(mask, minimum, request.stopTokens());
  }

  /** Whether the turn is over; this is where it notices that it was cancelled. */
  boolean isDone() {
    if (phase instanceof Phase.Running && cancelled.getAsBoolean()) {
      end(new Phase.Ended(Finish.CANCELLED));
    }
    return !(phase instanceof Phase.Running);
  }

  boolean hasFailed() {
    return phase instanceof Phase.Failed;
  }

  /**
   * Takes a sequence that has seen a beginning of the text, but not all of it, to go on with; says
   * whether it is its first.
   */
  boolean begin(Sequence beginning) {
    boolean isFirst = !hasBegun;
    hasBegun = true;
    if (isFirst) cached = beginning.position();
    sequence = Optional.of(beginning);
    fed = 0;
    return isFirst;
  }

  /**
   * Gives its sequence away. All else stays, so another sequence goes on as this one would have:
   * what it has not seen of the text is fed again.
   */
  Optional<Sequence> leave() {
    Optional<Sequence> left = sequence;
    left.ifPresent(had -> shown = Math.max(shown, had.position()));
    if (!isDone() && drafting.release()) shown = 0;
    sequence = Optional.empty();
    isWriting = false;
    pause = Integer.MAX_VALUE;
    return left;
  }

  boolean hasBegun() {
    return hasBegun;
  }

  /** Others will begin where it has read the prompt: the logits are kept that come of it. */
  void keepPromptRow() {
    isPromptRowKept = true;
  }

  /** The logits after the prompt, once; empty while they have not come. */
  Optional<float[]> takePromptRow() {
    Optional<float[]> taken = promptRow;
    promptRow = Optional.empty();
    return taken;
  }

  /** Goes on from a prompt that its sequence has seen all of, by the logits that came of it. */
  void goOnFrom(Logits row) {
    stopwatch.start();
    hidden.clear();
    feeding = NOTHING;
    draft = NOTHING;
    accept(new Logits[] {row});
  }

  Sequence sequence() {
    return sequence.orElseThrow(() -> new IllegalStateException("the turn has no sequence"));
  }

  Priority priority() {
    return request.priority();
  }

  /** Prompt and reply so far. */
  Tokens known() {
    return known;
  }

  /** How many more tokens may come. */
  int left() {
    return transcript.left();
  }

  int generated() {
    return transcript.size();
  }

  /** Whether somebody follows it token by token now, rather than wait for its first. */
  boolean isWriting() {
    return isWriting;
  }

  /** How many tokens it was fed since it got its sequence. */
  int fed() {
    return fed;
  }

  /** A step ends at this position if it comes that far, for a state to be kept there. */
  void pauseAt(int position) {
    if (position > sequence().position()) pause = Math.min(pause, position);
  }

  /** Whether the last step ended where a state is worth keeping; asked again, it did not. */
  boolean takeStop() {
    boolean was = isAtStop;
    isAtStop = false;
    return was;
  }

  /** How many tokens are known and not yet fed. */
  int backlog() {
    return known.length() - sequence().position();
  }

  /** How long a draft it could do with. */
  int appetite() {
    return isDrafting() ? Math.min(request.speculation().length(), transcript.left() - 1) : 0;
  }

  private boolean isDrafting() {
    return undrafted.isEmpty();
  }

  /** Goes on without its drafter: no guess is worth a reply. */
  void stopDrafting(String why) {
    if (!isDrafting()) return;
    undrafted = why;
    tap = Tap.NONE;
    closeDrafting();
  }

  /** Gives the memory back that its drafter shares with texts, if it does, for good. */
  void relieve() {
    if (drafting.release()) stopDrafting("texts need the memory that it holds");
  }

  /** A drafter that cannot even be closed is left as it is. */
  private void closeDrafting() {
    Drafting ended = drafting;
    drafting = Drafting.NONE;
    try {
      undrafted = ended.stopped().orElse(undrafted);
      ended.close();
    } catch (RuntimeException | Error foreign) {
      if (isDrafting()) undrafted = "the drafter could not be closed: " + Batch.reason(foreign);
    }
  }

  Drafter drafter() {
    return request.speculation().drafter();
  }

  /** Whether its drafts are as long as pays, rather than as long as they can be. */
  boolean isAdaptive() {
    return request.speculation().isAdaptive();
  }

  /** What came of its drafts so far, for who chooses how long they are. */
  Acceptance acceptance() {
    return acceptance;
  }

  /** How many tokens of the last step were a draft. */
  int drafted() {
    return draft.length;
  }

  /** How many of those came true. */
  int held() {
    return lastHeld;
  }

  /** Whether its drafter was never asked for anything. */
  boolean isFirstDraft() {
    return !hasAsked;
  }

  /** Asks for a draft of at most so many tokens, and forgets the last. */
  Drafter.Ask ask(int most) {
    hasAsked |= most > 0;
    draft = NOTHING;
    return new Drafter.Ask(drafting, most);
  }

  /** Takes what the drafter proposed. */
  void guess(int[] proposal, int max) {
    if (proposal.length > max) {
      throw new GenerateException(
          "the drafter proposed " + proposal.length + " tokens where " + max + " were asked for");
    }
    Tokens.requireInVocabulary(proposal, vocabularySize);
    draft = proposal;
  }

  /** How many tokens it feeds if it can, now that there is a draft or none. */
  int need() {
    return backlog() + draft.length;
  }

  /** What to feed next, at most {@code share} tokens: a longer prompt takes several steps. */
  Step plan(int share) {
    stopwatch.start();
    hidden.clear();
    lastHeld = 0;
    int from = sequence().position();
    int backlog = backlog();
    int most = pause > from ? Math.min(share, pause - from) : share;
    if (backlog > most) most = request.album().cut(known, from, from + most) - from;
    if (backlog > most) {
      draft = NOTHING;
      feeding = known.slice(from, from + most);
      return step(0);
    }
    draft = Arrays.copyOf(draft, Math.min(draft.length, most - backlog));
    feeding = Arrays.copyOf(known.slice(from, known.length()), backlog + draft.length);
    System.arraycopy(draft, 0, feeding, backlog, draft.length);
    return step(draft.length + 1);
  }

  private Step step(int wanted) {
    int prompt = known.length() - transcript.size();
    int written = sequence().position() + feeding.length - prompt;
    return new Step(
        sequence().session(),
        feeding,
        wanted,
        draft.length,
        Math.clamp(written, 0, feeding.length),
        tap,
        List.of(),
        request.album());
  }

  /**
   * Keeps each sampled token while it confirms the draft, then forgets what was fed beyond them.
   */
  void accept(Logits[] rows) {
    int from = sequence().position();
    sequence().advanced(feeding);
    fed += feeding.length;
    if (feeding.length > 0) forwards++;
    if (isPromptRowKept && rows.length > 0) {
      promptRow = Optional.of(rows[0].toArray());
      isPromptRowKept = false;
    }
    if (sequence().position() >= pause) {
      pause = Integer.MAX_VALUE;
      isAtStop = true;
    }
    int firm = known.length();
    int held = hold(rows);
    lastHeld = held;
    if (rows.length > 0) passes++;
    if (draft.length > 0) guesses = guesses.plus(Guesses.of(draft.length, held));
    // A sequence at rest keeps all it was fed: the next turn rewinds to what it shares with it.
    if (rows.length > 0 && !isDone()) {
      sequence().rewind(firm + held);
      isAtStop |= !isWriting;
      isWriting = true;
    }
    if (!isDone()) {
      learn(from, held);
    }
  }

  /** Tells the drafter of a pass, but not of tokens that it saw before they were fed again. */
  private void learn(int from, int held) {
    int again = Math.clamp(shown - from, 0, feeding.length - draft.length);
    if (again == feeding.length) return;
    int stay = feeding.length - draft.length + held;
    var rows = tap.isNone() ? List.<float[]>of() : hidden.subList(again, stay);
    try {
      drafting.learn(
          new Drafting.Pass(from + again, feeding.length - again, draft.length, held, rows));
    } catch (RuntimeException | Error foreign) {
      stopDrafting(Batch.reason(foreign));
      return;
    }
    drafting.stopped().ifPresent(this::stopDrafting);
  }

  /**
   * A token of each row while the draft holds, sampled where there is a choice, and what is forced
   * behind the last: it is part of the text at once, and fed with the token before it. Gives how
   * many tokens of the draft came true.
   */
  private int hold(Logits[] rows) {
    int held = 0;
    boolean holds = rows.length > 0;
    while (rows.length > 0 && !isDone()) {
      Logits row = rows[held];
      if (holds) guard.check(row, known);
      int[] next = forced();
      if (next.length == 0) {
        if (!holds) break;
        next = new int[] {sampler.next(row, known)};
      }
      for (int i = 0; i < next.length && !isDone(); i++) {
        say(next[i], row);
        holds = holds && held < draft.length && next[i] == draft[held];
        if (holds) held++;
      }
    }
    return held;
  }

  /** A token's probability is of its own row, so who asks for it has every token sampled. */
  private int[] forced() {
    if (request.logprobs() != Request.NO_LOGPROBS) return NOTHING;
    int[] forced = sampler.forced();
    Tokens.requireInVocabulary(forced, vocabularySize);
    return forced;
  }

  private void say(int token, Logits row) {
    sampler.chosen(token);
    known.add(token);
    stopwatch.token();
    transcript.add(token, row).ifPresent(finish -> end(new Phase.Ended(finish)));
  }

  void fail(GenerateException error) {
    end(new Phase.Failed(error));
  }

  /** However a turn ends, its drafter is told, and once. */
  private void end(Phase last) {
    boolean wasRunning = phase instanceof Phase.Running;
    phase = last;
    if (wasRunning) closeDrafting();
  }

  /** The finished reply, or the error that ended the turn. */
  Reply reply() {
    return switch (phase) {
      case Phase.Running() -> throw new IllegalStateException("the turn is not done");
      case Phase.Ended(Finish finish) ->
          new Reply(transcript.pieces(), finish, transcript.stop(), usage());
      case Phase.Failed(GenerateException error) -> throw error;
    };
  }

  private Usage usage() {
    return new Usage(
        known.length() - transcript.size(),
        cached,
        transcript.size(),
        guesses,
        forwards,
        passes,
        undrafted,
        stopwatch.prefill(),
        stopwatch.decode());
  }
}
