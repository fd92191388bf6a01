package weft.serve.ask;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import weft.chat.AnswerReader;
import weft.chat.ChatTurn;
import weft.chat.Fragment;
import weft.generate.Finish;
import weft.generate.Piece;
import weft.generate.Reply;
import weft.text.tokenizer.Tokenizer;

/** One answer in the making: its tokens as events. For one thread. */
final class Voice {
  private final int index;
  private final Tokenizer tokenizer;
  private final Consumer<Event> hearer;
  private final Optional<AnswerReader> reader;
  private final List<Chance> chances = new ArrayList<>();
  private int thoughts;
  private boolean isThinking;
  private boolean isCalling;

  /** {@code turn} is the chat's; in a text that goes on, nothing means anything. */
  Voice(int index, Tokenizer tokenizer, Optional<ChatTurn> turn, Consumer<Event> hearer) {
    this.index = index;
    this.tokenizer = tokenizer;
    this.hearer = hearer;
    this.reader = turn.map(chat -> chat.reader(this::hear));
  }

  void add(Piece piece) {
    if (!Double.isNaN(piece.logprob())) chances.add(Chance.of(piece, tokenizer));
    if (!piece.text().isEmpty()) {
      reader.ifPresentOrElse(chat -> chat.add(piece.text()), () -> say(piece.text()));
    }
    if (isThinking) thoughts++;
  }

  /** Whether nothing more is wanted of the reply. */
  boolean isComplete() {
    return reader.map(AnswerReader::isComplete).orElse(false);
  }

  void end(Reply reply) {
    reader.ifPresent(AnswerReader::end);
    if (!chances.isEmpty()) say("");
    hearer.accept(new Event.Ended(index, why(reply.finish()), reply.stopString().orElse("")));
  }

  private Event.End why(Finish finish) {
    return switch (finish) {
      case LENGTH -> Event.End.LENGTH;
      case STOP -> isCalling ? Event.End.CALLS : Event.End.STOP;
      case CANCELLED, STOPPED_BY_CALLBACK -> isCalling ? Event.End.CALLS : Event.End.CANCELLED;
    };
  }

  /** How many of its tokens were thinking. */
  int thoughts() {
    return thoughts;
  }

  private void hear(Fragment fragment) {
    switch (fragment) {
      case Fragment.Said(var text) -> {
        isThinking = false;
        say(text);
      }
      case Fragment.Thought(var text) -> {
        isThinking = true;
        hearer.accept(new Event.Thought(index, text));
      }
      case Fragment.Tag _ -> {}
      case Fragment.CallBegins(int call, var id, var name) -> {
        isThinking = false;
        isCalling = true;
        hearer.accept(new Event.CallBegun(index, call, id, name));
      }
      case Fragment.Arguments(int call, var json) ->
          hearer.accept(new Event.CallArguments(index, call, json));
      case Fragment.CallEnds _ -> {}
    }
  }

  private void say(String text) {
    hearer.accept(new Event.Said(index, text, chances));
    chances.clear();
  }
}
