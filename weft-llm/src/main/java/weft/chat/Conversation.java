package weft.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import weft.generate.GenerateException;
import weft.generate.Listener;
import weft.generate.Reply;

/**
 * The messages between a user and a model, and their tokens. A next prompt goes on from the very
 * tokens that the model was fed and made, where the template keeps them: the past is neither
 * tokenized nor fed again. One question at a time: a second is told who asks. Many conversations
 * may share a model. Safe for all threads in that sense.
 */
public final class Conversation {
  private static final String NOBODY = "";

  private final ChatModel model;
  private final List<Message> messages = new ArrayList<>(); // guarded by itself
  private final AtomicReference<String> user = new AtomicReference<>(NOBODY);
  private volatile ChatOptions options = ChatOptions.standard();
  private ChatPrompts.Prompt known = ChatPrompts.Prompt.NONE; // whoever asks has it
  private final Viewing viewing; // and this

  public Conversation(ChatModel model) {
    this.model = Objects.requireNonNull(model, "model");
    this.viewing = new Viewing(model);
  }

  /** Answers from now on with these options; gives this conversation. */
  public Conversation with(ChatOptions other) {
    options = Objects.requireNonNull(other, "options");
    return this;
  }

  public ChatOptions options() {
    return options;
  }

  /** All messages so far; the last is the question, while it is being answered. */
  public List<Message> messages() {
    synchronized (messages) {
      return List.copyOf(messages);
    }
  }

  /** What the model is told before all else, if anything. */
  public Optional<String> system() {
    return messages().stream()
        .filter(message -> message.role().equals(Message.SYSTEM))
        .map(Message::content)
        .findFirst();
  }

  /** Sets what the model is told before all else; an empty text takes it away. */
  public void system(String text) {
    alone(
        () -> {
          messages.removeIf(message -> message.role().equals(Message.SYSTEM));
          if (!text.isBlank()) messages.addFirst(Message.system(text));
        });
  }

  /** Forgets all but the system message. */
  public void clear() {
    alone(() -> messages.removeIf(message -> !message.role().equals(Message.SYSTEM)));
  }

  /** Goes on from other messages. */
  public void replace(List<Message> others) {
    var copy = List.copyOf(others);
    alone(
        () -> {
          messages.clear();
          messages.addAll(copy);
        });
  }

  /** Asks, and waits for the answer; where it fails, the question is taken back. */
  public Answer ask(String question) {
    return ask(Message.user(question));
  }

  /** As {@link #ask(String)}, for any message, such as a tool's result. */
  public Answer ask(Message question) {
    return begin(question).await();
  }

  /** Asks, and hears the answer as it comes, on the engine's thread, before it waits for it. */
  public Answer ask(String question, Consumer<Fragment> listener) {
    Objects.requireNonNull(listener, "listener");
    return begin(
            Message.user(question),
            fragment -> {
              listener.accept(fragment);
              return Listener.Answer.CONTINUE;
            })
        .await();
  }

  /** Asks; the answer comes as a stream, whose closing ends it. */
  public Stream<Fragment> stream(String question) {
    return begin(Message.user(question)).fragments();
  }

  /** Asks, without waiting. */
  public Exchange begin(Message question) {
    return begin(question, fragment -> Listener.Answer.CONTINUE);
  }

  /**
   * Asks, without waiting; the listener hears the answer on the engine's thread, and may end it.
   */
  public Exchange begin(Message question, Function<Fragment, Listener.Answer> listener) {
    Objects.requireNonNull(question, "question");
    enter();
    try {
      add(question);
      var turn = ChatTurn.of(model, messages(), options, known, viewing);
      var hearing = new Hearing(turn, listener);
      return new Exchange(
          model.submit(turn.request().withListener(hearing)),
          turn,
          reply -> answered(turn.prompt(), reply, hearing.end()),
          this::takeBack);
    } catch (RuntimeException | Error e) {
      takeBack();
      throw e;
    }
  }

  private void add(Message message) {
    synchronized (messages) {
      messages.add(message);
    }
  }

  /** Adds a reply to a prompt, as far as it came. */
  private Answer answered(ChatPrompts.Prompt prompt, Reply reply, Message message) {
    known = prompt.followedBy(reply);
    add(message);
    user.set(NOBODY);
    return new Answer(message, reply);
  }

  /** A question that could not be answered. */
  private void takeBack() {
    if (user.get().equals(NOBODY)) return;
    synchronized (messages) {
      messages.removeLast();
    }
    user.set(NOBODY);
  }

  private void enter() {
    var met = user.compareAndExchange(NOBODY, Thread.currentThread().getName() + " ");
    if (!met.equals(NOBODY)) {
      throw new GenerateException(
          "the conversation is in use by thread "
              + met.strip()
              + ", whose question is not answered yet; wait for that, or begin another one");
    }
  }

  private void alone(Runnable change) {
    enter();
    try {
      synchronized (messages) {
        change.run();
      }
    } finally {
      user.set(NOBODY);
    }
  }

  /** Hears pieces as fragments; what is held back at the end comes with the answer. */
  private static final class Hearing implements Listener {
    private final AnswerReader reader;
    private Answer wish = Answer.CONTINUE;

    Hearing(ChatTurn turn, Function<Fragment, Answer> listener) {
      this.reader =
          turn.reader(
              fragment -> {
                if (listener.apply(fragment) == Answer.STOP) wish = Answer.STOP;
              });
    }

    @Override
    public synchronized Answer hear(weft.generate.Piece piece) {
      reader.add(piece.text());
      return reader.isComplete() ? Answer.STOP : wish;
    }

    synchronized Message end() {
      reader.end();
      return reader.message();
    }
  }
}
