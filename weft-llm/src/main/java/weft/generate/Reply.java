package weft.generate;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A finished reply: what its listener heard, why it ended and what it cost. A value, safe for all
 * threads.
 */
public final class Reply {
  private final List<Piece> pieces;
  private final Finish finish;
  private final Optional<String> stopString;
  private final Usage usage;

  Reply(List<Piece> pieces, Finish finish, Optional<String> stopString, Usage usage) {
    this.pieces = List.copyOf(pieces);
    this.finish = finish;
    this.stopString = stopString;
    this.usage = usage;
  }

  /** A piece for each token, in their order. */
  public List<Piece> pieces() {
    return pieces;
  }

  /** Why it ended. */
  public Finish finish() {
    return finish;
  }

  /** Which of the request's stop strings ended it; empty where something else did. */
  public Optional<String> stopString() {
    return stopString;
  }

  /** What it cost. */
  public Usage usage() {
    return usage;
  }

  /** The generated tokens, the stop token included when one ended the reply. */
  public int[] tokens() {
    return pieces.stream().mapToInt(Piece::token).toArray();
  }

  /** The text, without the stop token or stop string that ended it. */
  public String text() {
    return pieces.stream().map(Piece::text).collect(Collectors.joining());
  }

  /** The same as {@link #text}. */
  @Override
  public String toString() {
    return text();
  }
}
