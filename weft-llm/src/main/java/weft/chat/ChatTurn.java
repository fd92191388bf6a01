package weft.chat;

import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import weft.generate.Request;

/**
 * A model's next turn in a chat that is kept elsewhere: messages as a prompt, the request for the
 * answer, and how its text is read. Whoever wants the chat kept holds a {@link Conversation}.
 * Immutable, safe for all threads.
 */
public final class ChatTurn {
  private final ChatPrompts prompts;
  private final ChatPrompts.Prompt prompt;
  private final ChatOptions options;
  private final Request request;

  private ChatTurn(
      ChatPrompts prompts, ChatPrompts.Prompt prompt, ChatOptions options, Request request) {
    this.prompts = prompts;
    this.prompt = prompt;
    this.options = options;
    this.request = request;
  }

  /** The answer to the last of these messages. */
  public static ChatTurn of(ChatModel model, List<Message> messages, ChatOptions options) {
    return of(model, messages, options, ChatPrompts.Prompt.NONE, new Viewing(model));
  }

  static ChatTurn of(
      ChatModel model,
      List<Message> messages,
      ChatOptions options,
      ChatPrompts.Prompt known,
      Viewing viewing) {
    Objects.requireNonNull(options, "options");
    var prompts = model.prompts();
    var prompt = prompts.prompt(messages, options, known, viewing::of);
    var bare = model.request(prompt.tokens()).withAlbum(prompt.album()).withText(prompts::text);
    var request = options.of(prompts.masked(bare, prompt, options));
    return new ChatTurn(prompts, prompt, options, request);
  }

  public ChatPrompts.Prompt prompt() {
    return prompt;
  }

  /** For the answer, as the options want it. */
  public Request request() {
    return request;
  }

  /** Reads one answer; hears of everything that is certain at once. */
  public AnswerReader reader(Consumer<Fragment> listener) {
    return prompts.reader(prompt, options, listener);
  }
}
