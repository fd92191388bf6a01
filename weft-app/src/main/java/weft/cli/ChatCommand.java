package weft.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import weft.cli.chat.Chat;
import weft.cli.chat.ChatOptions;
import weft.cli.chat.ChatScreen;

/** Chats with a model. */
@Command(
    name = "chat",
    description = {
      "Chats with a model in the terminal; /help there lists the commands.",
      "Without a terminal, each line of standard input is a message."
    })
final class ChatCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelOptions options;

  @Option(
      names = "--system",
      paramLabel = "TEXT",
      description = "What the model is told before the conversation.")
  private @Nullable String system;

  @ArgGroup(validate = false, heading = "%nHow tokens are chosen, and when to stop:%n")
  private SamplingOptions sampling = new SamplingOptions();

  ChatCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var choice = sampling.choice();
    try (var opened = options.open(console);
        var screen = screen()) {
      opened.progress().close(); // from here on the screen is the chat's
      var language = opened.language();
      var prompts = language.text().chat(console::say);
      var begin = ChatOptions.of(choice.sampling(), choice.stops().maxTokens());
      var chat = new Chat(language, opened::submit, prompts, choice::of, begin, screen);
      if (system != null) chat.system(system);
      if (isInTerminal()) {
        screen.note(
            "Chatting with "
                + language.checkpoint().path().getFileName()
                + ". /help lists the commands.");
      }
      chat.run();
      options.reportTime(opened, console);
    }
    return 0;
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
