package weft.generate;

import java.time.Duration;

/** What an engine counts. Safe for all threads. */
final class Tally {
  private static final int PATIENCE_SECONDS = 60;

  /** The counts at one time. */
  record Counts(
      long submitted,
      long refused,
      long finished,
      long cancelled,
      long failed,
      long preemptions,
      long steps,
      long stepReplies,
      long stepTokens,
      int lastStepReplies,
      long promptTokens,
      long cachedTokens,
      long generatedTokens,
      Guesses guesses,
      long replyTokens,
      long replyPasses,
      int cachedTexts) {
    static final Counts NONE =
        new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Guesses.NONE, 0, 0, 0);
  }

  private long submitted;
  private long refused;
  private long finished;
  private long cancelled;
  private long failed;
  private long preemptions;
  private long steps;
  private long stepReplies;
  private long stepTokens;
  private int lastStepReplies;
  private long promptTokens;
  private long cachedTokens;
  private long generatedTokens;
  private Guesses guesses = Guesses.NONE;
  private long replyTokens;
  private long replyPasses;
  private int cachedTexts;

  /** What a reply took of late. */
  private Duration lately = Duration.ZERO;

  synchronized Counts counts() {
    return new Counts(
        submitted,
        refused,
        finished,
        cancelled,
        failed,
        preemptions,
        steps,
        stepReplies,
        stepTokens,
        lastStepReplies,
        promptTokens,
        cachedTokens,
        generatedTokens,
        guesses,
        replyTokens,
        replyPasses,
        cachedTexts);
  }

  synchronized void submitted() {
    submitted++;
  }

  synchronized void refused() {
    refused++;
  }

  synchronized void preempted() {
    preemptions++;
  }

  synchronized void failed() {
    failed++;
  }

  /** A reply begins to be made. */
  synchronized void begun(int prompt, int cached) {
    promptTokens += prompt;
    cachedTokens += cached;
  }

  synchronized void ended(Reply reply) {
    switch (reply.finish()) {
      case CANCELLED -> cancelled++;
      case STOP, LENGTH, STOPPED_BY_CALLBACK -> finished++;
    }
    guesses = guesses.plus(reply.usage().guesses());
    replyTokens += reply.usage().generatedTokens();
    replyPasses += reply.usage().passes();
    Duration took = reply.usage().prefill().plus(reply.usage().decode());
    lately = lately.multipliedBy(7).plus(took).dividedBy(8);
  }

  /** A forward pass fed so many tokens of so many replies, which are so much longer now. */
  synchronized void stepped(int replies, int tokens, int generated) {
    steps++;
    stepReplies += replies;
    stepTokens += tokens;
    lastStepReplies = replies;
    generatedTokens += generated;
  }

  synchronized void cachedTexts(int texts) {
    cachedTexts = texts;
  }

  /** When one of so many replies in the making ends, if they take as long as lately. */
  synchronized Duration retryAfter(int parallel) {
    long seconds = Math.ceilDiv(lately.toMillis(), 1000L * parallel);
    return Duration.ofSeconds(Math.clamp(seconds, 1, PATIENCE_SECONDS));
  }
}
