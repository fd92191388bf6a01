package weft.cli;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weft.chat.Answer;
import weft.chat.ChatModel;
import weft.chat.ChatOptions;
import weft.chat.ChatPrompts;
import weft.chat.Conversation;
import weft.chat.Message;
import weft.chat.Part;
import weft.chat.Sight;
import weft.cli.chat.Chat;
import weft.cli.chat.ChatScreen;
import weft.cli.chat.ChatSettings;
import weft.generate.Listener;
import weft.generate.Request;
import weft.generate.Ticket;

/** Chats with a model. */
@Command(
    name = "chat",
    description = {
      "Chats with a model in the terminal; /help there lists the commands.",
      "Without a terminal, each line of standard input is a message; with -p, there is one."
    })
final class ChatCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions options;

  @Option(
      names = "--system",
      paramLabel = "TEXT",
      description = "What the model is told before the conversation.")
  private @Nullable String system;

  @Option(
      names = {"-p", "--prompt"},
      paramLabel = "TEXT",
      description = "Answer this one message and end, for scripts.")
  private @Nullable String message;

  @Mixin private ImageOptions images;

  @Option(
      names = "--json",
      description = "With -p: print one JSON document at the end, and nothing else.")
  private boolean isJson;

  @ArgGroup(validate = false, heading = "%nGuessing ahead:%n")
  private SpeculateOptions speculation = new SpeculateOptions();

  @ArgGroup(validate = false, heading = "%nHow tokens are chosen, and when to stop:%n")
  private SamplingOptions sampling = new SamplingOptions();

  @ArgGroup(validate = false, heading = "%nWhat an answer may be, from its first token on:%n")
  private GrammarOptions grammar = new GrammarOptions();

  ChatCommand(Console console) {
    this.console = console;
  }

  /** The model of a command, which may recompute every token. */
  private record Speaker(ModelOptions.Opened opened, ChatPrompts prompts) implements ChatModel {
    @Override
    public Request request(int... prompt) {
      return opened.language().bare(prompt);
    }

    @Override
    public Ticket submit(Request request) {
      return opened.submit(request);
    }

    @Override
    public Optional<Sight> sight() {
      return opened.language().sight();
    }

    @Override
    public String name() {
      return ModelOptions.name(opened.language());
    }
  }

  @Override
  public Integer call() throws IOException {
    if (isJson && message == null) {
      throw new UsageException("--json is for one answer; give a message with -p TEXT");
    }
    speculation.requireRight();
    var choice = sampling.choice();
    var form = grammar.form();
    var shown = images.read();
    try (var opened = options.open(console, speculation::of)) {
      var mask = form.map(each -> each.on(opened.language()));
      UnaryOperator<Request> requests =
          request -> {
            var chosen = choice.of(request);
            return mask.map(each -> each.apply(chosen)).orElse(chosen);
          };
      var speaker = new Speaker(opened, opened.language().text().chat(console::say));
      if (message == null) {
        chat(opened, speaker, choice, requests, shown);
      } else {
        answer(opened, speaker, requests, question(shown, message));
      }
      options.reportTime(opened, console);
    }
    return 0;
  }

  private void chat(
      ModelOptions.Opened opened,
      Speaker speaker,
      SamplingOptions.Choice choice,
      UnaryOperator<Request> requests,
      List<Part.Shown> shown)
      throws IOException {
    try (var screen = screen()) {
      opened.progress().close(); // from here on the screen is the chat's
      var language = opened.language();
      var begin = ChatSettings.of(choice.sampling(), choice.stops().maxTokens());
      var chat = new Chat(speaker, language.contextLength(), requests, begin, screen);
      if (system != null) chat.system(system);
      shown.forEach(chat::show);
      if (isInTerminal()) {
        screen.note("Chatting with " + ModelOptions.name(language) + ". /help lists the commands.");
      }
      chat.run();
    }
  }

  private static Message question(List<Part.Shown> shown, String text) {
    var parts = Stream.concat(shown.stream(), Stream.of(new Part.Text(text)));
    return Message.of(Message.USER, parts.toArray(Part[]::new));
  }

  /** One question, one answer. */
  private void answer(
      ModelOptions.Opened opened,
      Speaker speaker,
      UnaryOperator<Request> requests,
      Message question) {
    var conversation = new Conversation(speaker).with(ChatOptions.standard().withRequest(requests));
    if (system != null) conversation.system(system);
    var out = console.out();
    if (isJson) {
      var answer = conversation.ask(question);
      opened.progress().done();
      print(answer);
      return;
    }
    conversation
        .begin(
            question,
            fragment -> {
              opened.progress().done();
              // A reader that has gone, like head, wants no more.
              return out.tryPrint(fragment.text())
                  ? Listener.Answer.CONTINUE
                  : Listener.Answer.STOP;
            })
        .await();
    out.println();
  }

  private void print(Answer answer) {
    var document = Json.object();
    document.put("content", answer.text());
    document.put("reasoning", answer.thinking());
    document.put("finish_reason", Json.reason(answer.finish()));
    document.set("usage", Json.usage(answer.usage()));
    Json.print(console, document);
  }

  private boolean isInTerminal() {
    return console.settings().isInputTerminal() && console.settings().isOutputTerminal();
  }

  private ChatScreen screen() throws IOException {
    var settings = console.settings();
    return isInTerminal()
        ? ChatScreen.terminal(settings.cacheFolder(), settings.isColored())
        : ChatScreen.plain(console.in(), console.out()::tryPrint, console.err()::println);
  }
}
