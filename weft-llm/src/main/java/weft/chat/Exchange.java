package weft.chat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import weft.generate.GenerateException;
import weft.generate.Piece;
import weft.generate.Reply;
import weft.generate.Ticket;

/**
 * A question and its answer in the making. Its conversation takes the answer, as far as it came,
 * when it is waited for, or its fragments are at their end or closed; until then it takes no other
 * question. Safe for all threads, of which one waits.
 */
public final class Exchange {
  private final Ticket ticket;
  private final ChatTurn turn;
  private final Function<Reply, Answer> answered;
  private final Runnable failed;
  private Optional<Answer> answer = Optional.empty(); // guarded by this

  Exchange(Ticket ticket, ChatTurn turn, Function<Reply, Answer> answered, Runnable failed) {
    this.ticket = ticket;
    this.turn = turn;
    this.answered = answered;
    this.failed = failed;
  }

  /** Waits for the answer; where it fails, or is interrupted, the question is taken back. */
  public Answer await() {
    Reply reply;
    try {
      reply = ticket.await();
    } catch (GenerateException e) {
      failed.run();
      throw e;
    }
    return settle(reply);
  }

  /** As {@link #await()}, for so long at most: then there is none yet, and it goes on. */
  public Optional<Answer> await(Duration patience) {
    try {
      return ticket.await(patience).map(this::settle);
    } catch (GenerateException e) {
      failed.run();
      throw e;
    }
  }

  private synchronized Answer settle(Reply reply) {
    if (answer.isEmpty()) answer = Optional.of(answered.apply(reply));
    return answer.get();
  }

  /** Ends the answer within a step; it is then what there was. */
  public void cancel() {
    ticket.cancel();
  }

  /** The answer as it comes; closing the stream ends the answer. */
  public Stream<Fragment> fragments() {
    var spliterator =
        Spliterators.spliteratorUnknownSize(
            new Fragments(ticket.pieces().iterator()), Spliterator.ORDERED | Spliterator.NONNULL);
    return StreamSupport.stream(spliterator, false)
        .onClose(
            () -> {
              cancel();
              await();
            });
  }

  private final class Fragments implements Iterator<Fragment> {
    private final Iterator<Piece> pieces;
    private final Deque<Fragment> ready = new ArrayDeque<>();
    private final AnswerReader reader = turn.reader(ready::add);

    Fragments(Iterator<Piece> pieces) {
      this.pieces = pieces;
    }

    @Override
    public boolean hasNext() {
      try {
        while (ready.isEmpty() && pieces.hasNext()) reader.add(pieces.next().text());
      } catch (GenerateException e) {
        failed.run();
        throw e;
      }
      if (ready.isEmpty()) {
        reader.end();
        await();
      }
      return !ready.isEmpty();
    }

    @Override
    public Fragment next() {
      if (!hasNext()) throw new NoSuchElementException("the answer is at its end");
      return ready.remove();
    }
  }
}
