package weft.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Messages about tools, put in a way that a template takes. */
final class ToolMessages {
  private ToolMessages() {}

  static List<Message> fitted(List<Message> messages, List<Tool> tools, CallFormat format) {
    return switch (format) {
      case TAGGED_JSON, TAGGED_PARAMETERS, GEMMA -> messages;
      case MISTRAL_LIST, MISTRAL_NAMED ->
          messages.stream()
              .map(message -> message.withIds(id -> CallIds.fitted(id, format)))
              .toList();
      case BARE_JSON -> oneByOne(messages);
      case TAUGHT -> taught(messages, tools);
    };
  }

  /** Each call in a message of its own, before its result: some templates refuse several. */
  private static List<Message> oneByOne(List<Message> messages) {
    var all = new ArrayList<Message>();
    for (int i = 0; i < messages.size(); i++) {
      var message = messages.get(i);
      if (message.calls().size() < 2) {
        all.add(message);
        continue;
      }
      var results = new ArrayList<Message>();
      while (i + 1 < messages.size() && messages.get(i + 1).role().equals(Message.TOOL)) {
        results.add(messages.get(++i));
      }
      var written = message.parts().stream().filter(part -> !(part instanceof Part.Call)).toList();
      for (var call : message.calls()) {
        boolean isFirst = call == message.calls().getFirst();
        var before = isFirst ? written.stream() : Stream.<Part>empty();
        all.add(
            Message.of(
                Message.ASSISTANT, Stream.concat(before, Stream.of(call)).toArray(Part[]::new)));
        var own = results.stream().filter(result -> result.isResultOf(call)).findFirst();
        own.ifPresent(
            result -> {
              all.add(result);
              results.remove(result);
            });
      }
      all.addAll(results);
    }
    return all;
  }

  /** Tools in the system message, calls as they are taught, results as what the user says. */
  private static List<Message> taught(List<Message> messages, List<Tool> tools) {
    var all = new ArrayList<Message>();
    for (var message : messages) {
      var plain = plain(message);
      boolean isMore =
          !all.isEmpty()
              && plain.role().equals(Message.USER)
              && all.getLast().role().equals(Message.USER);
      // Templates that know no tools want a user and a model in turn.
      boolean isTurned = message.role().equals(Message.TOOL) || isTool(messages, message);
      if (isMore && isTurned) {
        all.add(all.removeLast().and(plain));
      } else {
        all.add(plain);
      }
    }
    if (tools.isEmpty()) return all;
    boolean hasSystem = !all.isEmpty() && all.getFirst().role().equals(Message.SYSTEM);
    var told = hasSystem ? all.removeFirst().content() + "\n\n" : "";
    all.addFirst(Message.system(told + lesson(tools)));
    return all;
  }

  private static boolean isTool(List<Message> messages, Message message) {
    int at = messages.indexOf(message);
    return at > 0 && messages.get(at - 1).role().equals(Message.TOOL);
  }

  private static Message plain(Message message) {
    if (message.role().equals(Message.TOOL)) {
      return Message.of(Message.USER, message.parts().toArray(Part[]::new))
          .behind("Result of " + message.about() + ":\n");
    }
    if (message.calls().isEmpty()) return message;
    var calls = message.calls().stream().map(ToolMessages::written);
    var text = message.content().strip();
    return Message.assistant(
        Stream.concat(Stream.of(text).filter(each -> !each.isEmpty()), calls)
            .collect(Collectors.joining("\n")));
  }

  private static String written(Part.Call call) {
    return "{\"name\": " + JsonValues.text(call.name()) + ", \"parameters\": " + call.json() + "}";
  }

  private static String lesson(List<Tool> tools) {
    var listed =
        tools.stream()
            .map(tool -> JsonValues.text(tool.variables()))
            .collect(Collectors.joining("\n"));
    return """
        You can call these tools:

        %s

        To call one, answer with a JSON object on a line of its own and nothing else:
        {"name": the tool's name, "parameters": {the name of each argument: its value}}
        To call several, write such a line for each. Their results come with the next message.
        Where no tool helps, answer in your own words."""
        .formatted(listed);
  }

  /** The system message as the beginning of what the user says first. */
  static List<Message> withoutSystem(List<Message> messages) {
    if (messages.isEmpty() || !messages.getFirst().role().equals(Message.SYSTEM)) return messages;
    var all = new ArrayList<>(messages);
    var told = all.removeFirst().content();
    if (all.isEmpty() || !all.getFirst().role().equals(Message.USER)) {
      all.addFirst(Message.user(told));
    } else {
      all.addFirst(all.removeFirst().behind(told + "\n\n"));
    }
    return all;
  }
}
