package weft.cli.chat;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weft.chat.Answer;
import weft.chat.ChatModel;
import weft.chat.Conversation;
import weft.chat.Message;
import weft.chat.Part;
import weft.chat.Sight;
import weft.generate.Finish;
import weft.generate.GenerateException;
import weft.generate.Listener;
import weft.generate.Request;
import weft.image.ImageException;
import weft.text.TextException;
import weft.text.jinja.TemplateException;

/** A chat with a model: takes messages and commands from a screen until there are no more. */
public final class Chat {
  private static final String HELP =
      """
      /help              this list
      /clear             forget the conversation, keep the system message
      /system [TEXT]     show or set the system message; /system off takes it away
      /set [NAME VALUE]  show the options, or change one: temperature, top-k, thinking, ...
      /stats             what the chat has cost so far
      /image [FILE]      show a picture with the next message; /image off takes all back
      /video [FILE]      show a video: an animated GIF, PNG or WebP, or a folder of frames
      /save FILE         write the conversation as JSON
      /load FILE         go on with a conversation from such a file
      /exit              leave, as Ctrl-D does
      Ctrl-C stops a reply. A line that ends with \\ goes on in the next; so does Alt-Enter.""";

  private final ChatModel model;
  private final ChatScreen screen;
  private final Conversation conversation;
  private final int contextLength;
  private final ChatStats stats = new ChatStats();
  private final UnaryOperator<Request> standing;
  private final List<Part.Shown> shown = new ArrayList<>();
  private ChatSettings settings;

  /** {@code standing} is what holds for every reply, whatever the chat's settings become. */
  public Chat(
      ChatModel model,
      int contextLength,
      UnaryOperator<Request> standing,
      ChatSettings settings,
      ChatScreen screen) {
    this.model = model;
    this.conversation = new Conversation(model);
    this.contextLength = contextLength;
    this.standing = standing;
    this.settings = settings;
    this.screen = screen;
  }

  /** Answers until there are no more messages. */
  public void run() {
    for (var line = next(); line.isPresent(); line = next()) {
      var text = line.get().strip();
      if (text.isEmpty()) continue;
      if (text.equals("/exit") || text.equals("/quit")) return;
      try {
        if (text.startsWith("/")) {
          command(text);
        } else {
          answer(text);
        }
      } catch (GenerateException
          | TextException
          | TemplateException
          | ImageException
          | ChatFileException e) {
        screen.note(e.getMessage());
      }
    }
  }

  private Optional<String> next() {
    return screen.isHeard() ? screen.read() : Optional.empty();
  }

  /** What the model is told before all else. */
  public void system(String text) {
    conversation.system(text);
  }

  /** Shows a picture or a video with the next message. */
  public void show(Part.Shown part) {
    if (model.sight().isEmpty()) throw Sight.missing(model.name(), part);
    shown.add(part);
  }

  private void command(String text) {
    var words = text.split("\\s+", 2);
    var rest = words.length > 1 ? words[1].strip() : "";
    switch (words[0]) {
      case "/help" -> screen.note(HELP);
      case "/clear" -> {
        conversation.clear();
        screen.note("The conversation is forgotten.");
      }
      case "/system" -> system(words.length > 1, rest);
      case "/set" -> set(rest);
      case "/stats" -> screen.note(stats.text());
      case "/image" -> show(rest, () -> ImageFile.read(file(rest, "/image")));
      case "/video" ->
          show(rest, () -> VideoFile.read(file(rest, "/video"), Part.Video.USUAL_PER_SECOND));
      case "/save" -> {
        ChatFile.save(file(rest, "/save"), conversation.messages());
        screen.note("Saved " + conversation.messages().size() + " messages to " + rest + ".");
      }
      case "/load" -> {
        conversation.replace(ChatFile.load(file(rest, "/load")));
        screen.note("Loaded " + conversation.messages().size() + " messages.");
      }
      default -> screen.note("There is no command " + words[0] + "; /help lists them.");
    }
  }

  private void system(boolean isGiven, String text) {
    if (isGiven) {
      conversation.system(text.equals("off") ? "" : text);
    }
    screen.note(conversation.system().map(now -> "System: " + now).orElse("No system message."));
  }

  private void show(String rest, Supplier<Part.Shown> read) {
    if (rest.equals("off")) {
      shown.clear();
    } else if (!rest.isEmpty()) {
      show(read.get());
    }
    screen.note(
        shown.isEmpty()
            ? "Nothing is shown with the next message."
            : "With the next message: "
                + shown.stream().map(Part.Shown::origin).collect(Collectors.joining(", ")));
  }

  private void set(String rest) {
    if (!rest.isEmpty()) {
      var words = rest.split("[\\s=]+", 2);
      if (words.length < 2) throw new GenerateException("/set takes a name and a value");
      settings = settings.with(words[0], words[1].strip());
    }
    var text = new StringBuilder();
    settings.values().forEach((name, value) -> text.append("%-15s %s%n".formatted(name, value)));
    screen.note(text.toString().stripTrailing());
  }

  private static Path file(String rest, String command) {
    if (rest.isEmpty()) throw new ChatFileException(command + " takes the name of a file");
    try {
      return Path.of(rest);
    } catch (InvalidPathException e) {
      throw new ChatFileException(rest + " is no name of a file", e);
    }
  }

  /** Pictures stay for another try where there is no answer to them. */
  private void answer(String question) {
    var parts = Stream.concat(shown.stream(), Stream.of(new Part.Text(question)));
    var exchange =
        conversation
            .with(settings.of(standing, stats.replies()))
            .begin(
                Message.of(Message.USER, parts.toArray(Part[]::new)),
                fragment -> {
                  screen.reply(fragment);
                  return screen.isHeard() ? Listener.Answer.CONTINUE : Listener.Answer.STOP;
                });
    screen.interruptible(exchange::await, exchange::cancel);
    screen.endReply();
    var answer = exchange.await();
    shown.clear();
    stats.add(answer.usage());
    if (screen.isHeard()) screen.note(summary(answer));
  }

  private String summary(Answer answer) {
    var usage = answer.usage();
    double seconds = usage.decode().toNanos() / 1e9;
    var rate =
        seconds > 0
            ? String.format(Locale.ROOT, ", %.1f tokens/s", usage.decodeTokens() / seconds)
            : "";
    return "[%d new prompt tokens, %d reply tokens%s; context %d of %d%s]"
        .formatted(
            usage.prefillTokens(),
            usage.generatedTokens(),
            rate,
            usage.promptTokens() + usage.generatedTokens(),
            contextLength,
            ending(answer.finish()).map(how -> "; " + how).orElse(""));
  }

  private static Optional<String> ending(Finish finish) {
    return switch (finish) {
      case STOP -> Optional.empty();
      case LENGTH -> Optional.of("cut off at its longest");
      case CANCELLED, STOPPED_BY_CALLBACK -> Optional.of("stopped");
    };
  }
}
