package weft.cli.chat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import weft.generate.Reply;
import weft.load.ChatPrompts;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;

/**
 * The messages so far and their tokens. A next prompt goes on from the very tokens that the model
 * was fed and made, where the template keeps them, so that only what is new has to be fed.
 */
final class Conversation {
  private static final String THINKING = "<think>";

  private final ChatPrompts prompts;
  private final List<Message> messages = new ArrayList<>();
  private String knownText = "";
  private int[] knownTokens = {};

  Conversation(ChatPrompts prompts) {
    this.prompts = prompts;
  }

  List<Message> messages() {
    return List.copyOf(messages);
  }

  void replace(List<Message> others) {
    messages.clear();
    messages.addAll(others);
  }

  Optional<String> system() {
    return messages.stream()
        .filter(message -> message.role().equals(Message.SYSTEM))
        .map(Message::content)
        .findFirst();
  }

  /** Sets what the model is told before all else; an empty text takes it away. */
  void system(String text) {
    messages.removeIf(message -> message.role().equals(Message.SYSTEM));
    if (!text.isBlank()) messages.addFirst(new Message(Message.SYSTEM, text));
  }

  /** Forgets all but the system message. */
  void clear() {
    messages.removeIf(message -> !message.role().equals(Message.SYSTEM));
  }

  void ask(String text) {
    messages.add(new Message(Message.USER, text));
  }

  /** Takes back a question that could not be answered. */
  void unask() {
    messages.removeLast();
  }

  /** The prompt for the next reply. */
  ChatPrompts.Prompt prompt(Map<String, Boolean> switches) {
    var variables = new LinkedHashMap<String, Object>(switches);
    variables.put("messages", messages.stream().map(Message::variables).toList());
    variables.put("add_generation_prompt", true);
    var whole = prompts.prompt(variables);
    return new ChatPrompts.Prompt(whole.text(), continued(whole).orElse(whole.tokens()));
  }

  /**
   * The known tokens and those of the rest, where the new prompt only adds to the text: encoding a
   * reply's text again may give other tokens than the model made.
   */
  private Optional<int[]> continued(ChatPrompts.Prompt whole) {
    if (knownTokens.length == 0 || !whole.text().startsWith(knownText)) return Optional.empty();
    var rest = whole.text().substring(knownText.length());
    var tokenizer = prompts.tokenizer();
    var tokens = tokenizer.encode(rest, Surround.OMITTED, SpecialText.PARSED);
    // A text can be cut before a control token, where no merge crosses. And the rest must be what
    // the template wrote with the user's text kept from control tokens: the whole's own ending.
    boolean isCut = tokens.length > 0 && tokenizer.isSpecial(tokens[0]);
    if (!isCut || !endsWith(whole.tokens(), tokens)) return Optional.empty();
    int known = knownTokens.length;
    if (knownTokens[known - 1] == tokens[0]) known--;
    return Optional.of(
        IntStream.concat(Arrays.stream(knownTokens, 0, known), Arrays.stream(tokens)).toArray());
  }

  private static boolean endsWith(int[] tokens, int[] end) {
    int from = tokens.length - end.length;
    return from >= 0 && Arrays.equals(tokens, from, tokens.length, end, 0, end.length);
  }

  /** Adds a reply to a prompt, as far as it came. */
  void answer(ChatPrompts.Prompt prompt, Reply reply) {
    var text = reply.text();
    // Where the template opens the thinking, the reply only closes it; templates look for both.
    boolean isOpened = prompt.text().stripTrailing().endsWith(THINKING) && text.contains("</");
    messages.add(new Message(Message.ASSISTANT, isOpened ? THINKING + "\n" + text : text));
    knownText = prompt.text() + text;
    knownTokens =
        IntStream.concat(Arrays.stream(prompt.tokens()), Arrays.stream(reply.tokens())).toArray();
  }
}
