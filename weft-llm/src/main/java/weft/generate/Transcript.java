package weft.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import weft.generate.Piece.Alternative;

/** What a turn has said: makes pieces of its tokens and knows when they are enough. */
final class Transcript {
  private final Request request;
  private final int limit;
  private final Set<Integer> stopTokens;
  private final TextStream stream;
  private final HeldText held;
  private final Workspace workspace;
  private final List<Piece> pieces = new ArrayList<>();

  Transcript(Request request, int limit, Workspace workspace) {
    this.request = request;
    this.limit = limit;
    this.stopTokens = request.stopTokens();
    this.stream = request.text().get();
    this.held = new HeldText(request.stops().strings());
    this.workspace = workspace;
  }

  List<Piece> pieces() {
    return pieces;
  }

  /** The stop string that ended it. */
  Optional<String> stop() {
    return held.stop();
  }

  int size() {
    return pieces.size();
  }

  /** How many more tokens may come. */
  int left() {
    return limit - pieces.size();
  }

  /** Tells the listener of a token; the finish when it was the last one. */
  Optional<Finish> add(int token, Logits logits) {
    boolean stopToken = stopTokens.contains(token);
    boolean last = stopToken || left() == 1;
    String text = stopToken ? "" : held.add(stream.add(token));
    if (last) {
      text += held.add(stream.flush()) + held.release();
    }
    Piece piece = piece(token, text, logits);
    pieces.add(piece);
    Listener.Answer answer = request.listener().hear(piece);
    if (stopToken || held.isStopped()) {
      return Optional.of(Finish.STOP);
    }
    if (last) {
      return Optional.of(Finish.LENGTH);
    }
    return switch (answer) {
      case CONTINUE -> Optional.empty();
      case STOP -> Optional.of(Finish.STOPPED_BY_CALLBACK);
    };
  }

  private Piece piece(int token, String text, Logits logits) {
    if (request.logprobs() == Request.NO_LOGPROBS) {
      return new Piece(token, text, Double.NaN, List.of());
    }
    LogProbs logProbs = new LogProbs(logits.toArray());
    List<Alternative> likeliest = logProbs.likeliest(request.logprobs(), workspace.ranks());
    return new Piece(token, text, logProbs.of(token), likeliest);
  }
}
