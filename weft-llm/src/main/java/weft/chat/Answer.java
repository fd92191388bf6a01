package weft.chat;

import java.util.List;
import weft.generate.Finish;
import weft.generate.Reply;
import weft.generate.Usage;

/** What a model answered; safe for all threads. */
public final class Answer {
  private final Message message;
  private final Reply reply;

  Answer(Message message, Reply reply) {
    this.message = message;
    this.reply = reply;
  }

  /** What it says, without its thinking. */
  public String text() {
    return message.text();
  }

  /** What it thought before; empty for most models. */
  public String thinking() {
    return message.thinking();
  }

  /**
   * The tools it calls, each with all of its arguments; {@link Message#tool} answers one of them.
   */
  public List<Part.Call> calls() {
    return message.calls();
  }

  /** The answer as the conversation keeps it. */
  public Message message() {
    return message;
  }

  /** The tokens, and how they came. */
  public Reply reply() {
    return reply;
  }

  /** Why it ended. */
  public Finish finish() {
    return reply.finish();
  }

  /** What it cost. */
  public Usage usage() {
    return reply.usage();
  }

  /** The same as {@link #text}. */
  @Override
  public String toString() {
    return text();
  }
}
