package weft.generate;

import java.util.List;
import java.util.stream.Collectors;

/** A finished reply: what its listener heard, why it ended and what it cost. */
public record Reply(List<Piece> pieces, Finish finish, Usage usage) {
  public Reply {
    pieces = List.copyOf(pieces);
  }

  /** The generated tokens, the stop token included when one ended the reply. */
  public int[] tokens() {
    return pieces.stream().mapToInt(Piece::token).toArray();
  }

  /** The text, without the stop token or stop string that ended it. */
  public String text() {
    return pieces.stream().map(Piece::text).collect(Collectors.joining());
  }
}
