package weft.load;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import weft.chat.ChatModel;
import weft.chat.ChatPrompts;
import weft.generate.Request;
import weft.generate.Ticket;

/** A model as its conversations see it; its prompts are made ready by the first of them. */
final class Speaking implements ChatModel {
  private final TextParts text;
  private final Set<Integer> ends;
  private final Replies replies;
  private final Consumer<String> warnings;
  private Optional<ChatPrompts> prompts = Optional.empty(); // guarded by this

  Speaking(TextParts text, Set<Integer> ends, Replies replies, Consumer<String> warnings) {
    this.text = text;
    this.ends = ends;
    this.replies = replies;
    this.warnings = warnings;
  }

  @Override
  public synchronized ChatPrompts prompts() {
    if (prompts.isEmpty()) prompts = Optional.of(text.chat(warnings));
    return prompts.get();
  }

  @Override
  public Request request(int... prompt) {
    return Request.of(prompt).withEnds(ends);
  }

  @Override
  public Ticket submit(Request request) {
    return replies.engine().submit(request);
  }
}
