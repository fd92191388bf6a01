package weft.serve.openai;

import java.util.List;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.StringNode;
import weft.chat.ChatOptions;
import weft.serve.web.Fields;

/** Whether and how much a model thinks, and the other variables of its template. */
final class ChatThinking {
  /** What clients may tell a template; anything else could pass for a message. */
  static final List<String> SAFE =
      List.of(
          "enable_thinking",
          "thinking",
          "reasoning_effort",
          "thinking_budget",
          "preserve_thinking",
          "date_string");

  /** Of such a value. */
  static final int LONGEST_VALUE = 256;

  static final List<String> EFFORTS =
      List.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

  private ChatThinking() {}

  static ChatOptions read(Fields body, ChatOptions options) {
    var chosen = options;
    var effort = body.word("reasoning_effort", EFFORTS);
    if (effort.isPresent()) {
      chosen =
          chosen
              .withVariable("reasoning_effort", effort.get())
              .withThinking(!effort.get().equals("none"));
    }
    var isOn = body.flag("enable_thinking");
    if (isOn.isPresent()) chosen = chosen.withThinking(isOn.get());
    var variables = body.object("chat_template_kwargs");
    return variables.isPresent() ? variables(variables.get(), chosen) : chosen;
  }

  private static ChatOptions variables(Fields given, ChatOptions options) {
    var chosen = options;
    for (var name : given.node().propertyNames()) {
      if (!SAFE.contains(name)) {
        throw Fields.bad(given.path(), Fields.quoted(name), "some of " + SAFE);
      }
      var value = given.field(name);
      if (value.isEmpty()) continue;
      chosen =
          switch (value.get()) {
            case BooleanNode flag -> chosen.withVariable(name, flag.booleanValue());
            case StringNode text when text.stringValue().length() <= LONGEST_VALUE ->
                chosen.withVariable(name, text.stringValue());
            case IntNode number -> chosen.withVariable(name, number.intValue());
            default ->
                throw given.wrong(
                    name,
                    value.get(),
                    "true, false, a whole number or a string of at most "
                        + LONGEST_VALUE
                        + " characters");
          };
    }
    return chosen;
  }
}
