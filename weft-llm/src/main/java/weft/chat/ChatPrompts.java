package weft.chat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import weft.generate.Reply;
import weft.generate.Request;
import weft.text.ChatTemplate;
import weft.text.TextException;
import weft.text.jinja.TemplateException;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/**
 * Turns conversations into tokens as the model was trained to see them. Control tokens come from
 * the template alone: one that a message, a tool or any other part of a conversation spells is
 * text. Immutable, safe for all threads.
 */
public final class ChatPrompts {
  /**
   * What a template made of a conversation. A value, safe for all threads as long as nobody writes
   * to its tokens.
   *
   * @param encoded how many characters of the text had to be tokenized for it
   */
  public record Prompt(String text, int[] tokens, int encoded) {
    /** The beginning, of which nothing is known. */
    public static final Prompt NONE = new Prompt("", new int[0], 0);

    /** The text and the tokens with those that a model made of them. */
    public Prompt followedBy(Reply reply) {
      var all = IntStream.concat(Arrays.stream(tokens), Arrays.stream(reply.tokens()));
      return new Prompt(text + reply.text(), all.toArray(), 0);
    }
  }

  private final ChatTemplate template;
  private final Tokenizer tokenizer;
  private final Map<String, String> specialTokens;
  private final ControlMarks marks;
  private final ThoughtTags tags;
  private final CallFormat format;
  private final Set<Integer> shown;
  private final boolean takesSystem;
  private final CallMasks masks;

  /** {@code specialTokens} are variables of the template that are to be trusted. */
  public ChatPrompts(
      ChatTemplate template, Tokenizer tokenizer, Map<String, String> specialTokens) {
    this.template = template;
    this.tokenizer = tokenizer;
    this.specialTokens = Map.copyOf(specialTokens);
    this.marks = new ControlMarks(controlTokens(tokenizer));
    this.tags = ThoughtTags.of(template.source());
    this.format = CallFormat.of(template.source());
    this.shown =
        Stream.concat(CallFormat.CONTROLS.stream(), ThoughtTags.CONTROLS.stream())
            .flatMap(token -> tokenizer.idOf(token).stream().boxed())
            .collect(Collectors.toUnmodifiableSet());
    this.takesSystem = takesSystem();
    this.masks = new CallMasks(tokenizer, format, tags);
  }

  /** Some templates refuse a system message. */
  private boolean takesSystem() {
    var messages =
        Stream.of(Message.system("?"), Message.user("?"))
            .map(each -> each.variables(tags))
            .toList();
    var variables = new LinkedHashMap<String, @Nullable Object>(specialTokens);
    variables.put("messages", messages);
    try {
      template.render(variables);
      return true;
    } catch (TemplateException e) {
      return false;
    }
  }

  private static List<String> controlTokens(Tokenizer tokenizer) {
    return IntStream.range(0, tokenizer.vocabularySize())
        .filter(id -> tokenizer.has(id) && tokenizer.isSpecial(id))
        .mapToObj(tokenizer::token)
        .toList();
  }

  public Tokenizer tokenizer() {
    return tokenizer;
  }

  /**
   * The prompt of a conversation: {@code messages} and whatever else the template reads, as {@link
   * ChatTemplate#render(Map)} takes them.
   */
  public Prompt prompt(Map<String, ? extends @Nullable Object> conversation) {
    return prompt(conversation, SpecialText.ESCAPED, Prompt.NONE);
  }

  /**
   * The prompt of a conversation that goes on from a known one. Where the template only adds to the
   * known text, its tokens stay what they were and the rest alone is tokenized: encoding a reply's
   * text again may give other tokens than the model made.
   *
   * @param special what control tokens that the conversation spells mean
   */
  public Prompt prompt(
      Map<String, ? extends @Nullable Object> conversation, SpecialText special, Prompt known) {
    var variables = new LinkedHashMap<String, @Nullable Object>(specialTokens);
    conversation.forEach(
        (name, value) ->
            variables.put(
                name,
                switch (special) {
                  case ESCAPED -> marked(value);
                  case PARSED -> value;
                }));
    var whole = ControlMarks.unmark(template.render(variables));
    return continued(whole, known).orElseGet(() -> encoded(whole));
  }

  /**
   * The prompt for the answer to messages, which goes on from a known one; tools and their calls
   * are put as the template knows them.
   */
  Prompt prompt(List<Message> messages, ChatOptions options, Prompt known) {
    var tools = options.tools();
    var variables = options.variables();
    if (!tools.isEmpty() && format != CallFormat.TAUGHT) {
      variables.put("tools", tools.stream().map(Tool::variables).toList());
    }
    var fitted = ToolMessages.fitted(messages, tools, format);
    var taken = takesSystem ? fitted : ToolMessages.withoutSystem(fitted);
    variables.put("messages", taken.stream().map(each -> each.variables(tags)).toList());
    boolean isBegun = !messages.isEmpty() && messages.getLast().isSaidByModel();
    if (isBegun) {
      try {
        var more = new LinkedHashMap<>(variables);
        more.put("continue_final_message", true);
        return prompt(more, options.special(), known);
      } catch (TextException e) {
        // The template changes what was said; another message follows it then.
      }
    }
    variables.put("add_generation_prompt", true);
    return prompt(variables, options.special(), known);
  }

  /** The text of a reply, with those control tokens that mean something in it. */
  TokenText text() {
    return TokenText.begin(tokenizer, shown);
  }

  /** The request as the choice of tools has it. */
  Request masked(Request request, Prompt prompt, ChatOptions options) {
    if (options.tools().isEmpty()) return request;
    if (!options.choice().isDemanded()) {
      return masks.strict(options, request.ends()).map(request::withMask).orElse(request);
    }
    boolean isThinking = Thinking.isOpenedBy(prompt.text(), tags);
    return request.withMask(masks.demanding(options, isThinking, request.ends()));
  }

  AnswerReader reader(Prompt prompt, ChatOptions options, Consumer<Fragment> sink) {
    return new AnswerReader(prompt.text(), tags, format, options, sink);
  }

  private Prompt encoded(ControlMarks.Unmarked whole) {
    var tokens = tokenizer.encode(whole.text(), Surround.OMITTED, whole.spans());
    return new Prompt(whole.text(), tokens, whole.text().length());
  }

  private Optional<Prompt> continued(ControlMarks.Unmarked whole, Prompt known) {
    int count = known.tokens().length;
    if (count == 0 || !whole.text().startsWith(known.text())) return Optional.empty();
    var rest = whole.from(known.text().length());
    var tokens = tokenizer.encode(rest.text(), Surround.OMITTED, rest.spans());
    // A text can be cut before a control token, where no merge crosses.
    if (tokens.length == 0 || !tokenizer.isSpecial(tokens[0])) return Optional.empty();
    if (known.tokens()[count - 1] == tokens[0]) count--;
    var all = IntStream.concat(Arrays.stream(known.tokens(), 0, count), Arrays.stream(tokens));
    return Optional.of(new Prompt(whole.text(), all.toArray(), rest.text().length()));
  }

  /** The same data with every text in it marked, names of fields too. */
  private @Nullable Object marked(@Nullable Object value) {
    return switch (value) {
      case String text -> marks.mark(text);
      case JsonNode node when node.isString() -> marks.mark(node.stringValue());
      case JsonNode node when node.isArray() -> marked(node.values());
      case JsonNode node when node.isObject() -> {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        for (var field : node.properties()) fields.put(field.getKey(), field.getValue());
        yield marked(fields);
      }
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((name, field) -> fields.put(marks.mark(String.valueOf(name)), marked(field)));
        yield fields;
      }
      case Collection<?> items -> {
        var list = new ArrayList<@Nullable Object>();
        for (var item : items) list.add(marked(item));
        yield list;
      }
      case null -> null;
      default -> value;
    };
  }
}
