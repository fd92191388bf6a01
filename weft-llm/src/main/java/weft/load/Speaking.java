package weft.load;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import weft.chat.ChatModel;
import weft.chat.ChatPrompts;
import weft.chat.Sight;
import weft.generate.Request;
import weft.generate.Ticket;

/** A model as its conversations see it; its prompts are made ready by the first of them. */
final class Speaking implements ChatModel {
  private final String name;
  private final TextParts text;
  private final UnaryOperator<Request> usual;
  private final Supplier<Optional<Sight>> sight;
  private final Replies replies;
  private final Consumer<String> warnings;
  private Optional<ChatPrompts> prompts = Optional.empty(); // guarded by this

  Speaking(
      String name,
      TextParts text,
      UnaryOperator<Request> usual,
      Supplier<Optional<Sight>> sight,
      Replies replies,
      Consumer<String> warnings) {
    this.name = name;
    this.text = text;
    this.usual = usual;
    this.sight = sight;
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
    return usual.apply(Request.of(prompt));
  }

  @Override
  public Optional<Sight> sight() {
    return sight.get();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Ticket submit(Request request) {
    return replies.engine().submit(request);
  }
}
