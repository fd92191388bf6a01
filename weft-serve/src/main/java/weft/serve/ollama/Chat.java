package weft.serve.ollama;

import java.util.ArrayList;
import java.util.List;
import weft.chat.ChatOptions;
import weft.chat.Message;
import weft.chat.Part;
import weft.serve.ask.Answering;
import weft.serve.ask.Prompt;
import weft.serve.web.Fields;
import weft.serve.web.Visit;

/** {@code /api/chat} and {@code /api/generate}. */
final class Chat {
  private final Answering answering;

  Chat(Answering answering) {
    this.answering = answering;
  }

  void chat(Visit visit) {
    var body = visit.fields();
    var messages = ChatReader.messages(body, answering.images());
    var options = Manner.thinking(body, ChatOptions.standard()).withTools(ChatReader.tools(body));
    if (messages.isEmpty()) {
      load(visit, body, Lines.CHAT);
    } else {
      answer(visit, body, new Prompt.Talk(messages, options), Lines.CHAT);
    }
  }

  void generate(Visit visit) {
    var body = visit.fields();
    for (var name : List.of("suffix", "template")) {
      if (!body.text(name).orElse("").isEmpty()) {
        throw body.unsupported(name, "the model's own template is used");
      }
    }
    if (!body.list("context", Integer.MAX_VALUE).isEmpty()) {
      throw body.unsupported("context", "send a chat to go on from one");
    }
    var shown = ChatReader.images(body, answering.images());
    var text = body.text("prompt").orElse("");
    if (text.isEmpty()) {
      load(visit, body, Lines.GENERATE);
    } else if (body.flag("raw").orElse(false)) {
      if (!shown.isEmpty()) {
        throw body.unsupported("images", "a raw prompt has no place for them; send a chat");
      }
      answer(visit, body, new Prompt.Text(text), Lines.GENERATE);
    } else {
      answer(visit, body, question(body, ChatReader.with(shown, text)), Lines.GENERATE);
    }
  }

  private static Prompt question(Fields body, List<Part> parts) {
    var messages = new ArrayList<Message>();
    body.text("system")
        .filter(system -> !system.isEmpty())
        .ifPresent(system -> messages.add(Message.system(system)));
    messages.add(Message.of(Message.USER, parts.toArray(Part[]::new)));
    return new Prompt.Talk(messages, Manner.thinking(body, ChatOptions.standard()));
  }

  /**
   * Nothing to answer means that the model is to be there, or to go where it is to stay no time.
   */
  private void load(Visit visit, Fields body, Lines.Shape shape) {
    var name = Manner.model(body, answering.shelf().names());
    if (Manner.isLeaving(body)) {
      visit.send(200, Lines.empty(answering.unload(name), shape, "unload"));
      return;
    }
    try (var lease = answering.lend(name)) {
      visit.send(200, Lines.empty(lease.name(), shape, "load"));
    }
  }

  private void answer(Visit visit, Fields body, Prompt prompt, Lines.Shape shape) {
    var model = Manner.model(body, answering.shelf().names());
    var ask = Manner.ask(visit, model, prompt, body);
    var lines = new Lines(shape, Manner.isThoughtShown(body));
    if (body.flag("stream").orElse(true)) {
      lines.stream(visit, answering, ask);
    } else {
      lines.whole(visit, answering, ask);
    }
  }
}
