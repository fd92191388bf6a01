package weft.generate;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * What an {@link Engine} does now and has done since it started, for meters. A value, safe for all
 * threads.
 */
public final class EngineReport {
  private final Capacity capacity;
  private final int waiting;
  private final int running;
  private final Tally.Counts counts;
  private final Model.Memory memory;

  EngineReport(
      Capacity capacity, int waiting, int running, Tally.Counts counts, Model.Memory memory) {
    this.capacity = Objects.requireNonNull(capacity, "capacity");
    this.waiting = waiting;
    this.running = running;
    this.counts = counts;
    this.memory = Objects.requireNonNull(memory, "memory");
  }

  /** Of an engine that nobody has asked for anything yet. */
  public static EngineReport idle(Capacity capacity, Model.Memory memory) {
    return new EngineReport(capacity, 0, 0, Tally.Counts.NONE, memory);
  }

  public Capacity capacity() {
    return capacity;
  }

  /** Requests that wait, those that gave way included. */
  public int waiting() {
    return waiting;
  }

  /** Replies in the making. */
  public int running() {
    return running;
  }

  /** Requests that were taken. */
  public long submitted() {
    return counts.submitted();
  }

  /** Requests that found the queue full. */
  public long refused() {
    return counts.refused();
  }

  /** Replies that ended as they should. */
  public long finished() {
    return counts.finished();
  }

  public long cancelled() {
    return counts.cancelled();
  }

  public long failed() {
    return counts.failed();
  }

  /** How often a reply gave its memory back for another's, to go on later. */
  public long preemptions() {
    return counts.preemptions();
  }

  /** Forward passes. */
  public long steps() {
    return counts.steps();
  }

  /** Replies that forward passes were made for, summed over them. */
  public long stepReplies() {
    return counts.stepReplies();
  }

  /** Tokens that were fed, drafts and what was fed again included. */
  public long stepTokens() {
    return counts.stepTokens();
  }

  /** Replies that the last forward pass was made for. */
  public int lastStepReplies() {
    return counts.lastStepReplies();
  }

  /** Tokens of the prompts that were begun. */
  public long promptTokens() {
    return counts.promptTokens();
  }

  /** How many of them were not fed, since an earlier text began with them. */
  public long cachedTokens() {
    return counts.cachedTokens();
  }

  /** Tokens of replies. */
  public long generatedTokens() {
    return counts.generatedTokens();
  }

  /** Guesses that were fed, of replies that have ended. */
  public long draftedTokens() {
    return counts.guesses().allDrafted();
  }

  /** How many of those came true. */
  public long acceptedTokens() {
    return counts.guesses().allAccepted();
  }

  /** Both, by the depth that they had in their drafts. */
  public Guesses guesses() {
    return counts.guesses();
  }

  /** How many tokens a pass gave a reply, of those that have ended. */
  public double tokensPerPass() {
    return counts.replyPasses() == 0 ? 0 : (double) counts.replyTokens() / counts.replyPasses();
  }

  /** Texts at rest that prompts may go on from. */
  public int cachedTexts() {
    return counts.cachedTexts();
  }

  /** What the states of all texts take, those at rest included. */
  public long stateBytes() {
    return memory.used();
  }

  /** What they may take; empty where nobody has set a bound. */
  public OptionalLong stateBudget() {
    return memory.isBounded() ? OptionalLong.of(memory.budget()) : OptionalLong.empty();
  }
}
