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
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import weft.generate.Album;
import weft.generate.Reply;
import weft.generate.Request;
import weft.generate.Seen;
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
   * @param pictures whose rows are among the tokens, as they come
   */
  public record Prompt(String text, int[] tokens, int encoded, List<Seen> pictures) {
    /** The beginning, of which nothing is known. */
    public static final Prompt NONE = new Prompt("", new int[0], 0, List.of());

    public Prompt {
      pictures = List.copyOf(pictures);
    }

    /** The same pictures, for a request. */
    public Album album() {
      return Album.of(pictures);
    }

    /** The text and the tokens with those that a model made of them. */
    public Prompt followedBy(Reply reply) {
      var all = IntStream.concat(Arrays.stream(tokens), Arrays.stream(reply.tokens()));
      return new Prompt(text + reply.text(), all.toArray(), 0, pictures);
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
            .map(each -> each.variables(tags, Sights.NONE))
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
    return prompt(rendered(conversation, marks(special, Sights.NONE)), known, Sights.NONE);
  }

  private Prompt prompt(String rendered, Prompt known, Sights sights) {
    var whole = ControlMarks.unmark(sights.expanded(rendered));
    return continued(whole, known, sights).orElseGet(() -> encoded(whole, sights));
  }

  /**
   * What users' texts are marked for: where they are trusted, for what would be a picture alone.
   */
  private ControlMarks marks(SpecialText special, Sights sights) {
    return switch (special) {
      case ESCAPED -> marks;
      case PARSED -> sights.isEmpty() ? ControlMarks.NONE : new ControlMarks(placeholders(sights));
    };
  }

  private List<String> placeholders(Sights sights) {
    var row = tokenizer.token(sights.marks().placeholder());
    return Stream.concat(sights.spellings().stream(), Stream.of(row)).toList();
  }

  private String rendered(
      Map<String, ? extends @Nullable Object> conversation, ControlMarks marking) {
    var variables = new LinkedHashMap<String, @Nullable Object>(specialTokens);
    conversation.forEach(
        (name, value) ->
            variables.put(name, marking == ControlMarks.NONE ? value : marked(value, marking)));
    return template.render(variables);
  }

  /**
   * The prompt for the answer to messages, which goes on from a known one; tools and their calls
   * are put as the template knows them, and pictures as {@code viewing} has them.
   */
  Prompt prompt(
      List<Message> messages,
      ChatOptions options,
      Prompt known,
      Function<List<Message>, Sights> viewing) {
    var tools = options.tools();
    var variables = options.variables();
    if (!tools.isEmpty() && format != CallFormat.TAUGHT) {
      variables.put("tools", tools.stream().map(Tool::variables).toList());
    }
    var fitted = ToolMessages.fitted(messages, tools, format);
    var taken = takesSystem ? fitted : ToolMessages.withoutSystem(fitted);
    var sights = viewing.apply(taken);
    boolean isBegun = !messages.isEmpty() && messages.getLast().isSaidByModel();
    if (isBegun) {
      try {
        var more = new LinkedHashMap<>(variables);
        more.put("continue_final_message", true);
        return prompt(rendered(more, taken, options, sights), known, sights);
      } catch (TextException e) {
        // The template changes what was said; another message follows it then.
      }
    }
    variables.put("add_generation_prompt", true);
    return prompt(rendered(variables, taken, options, sights), known, sights);
  }

  /** The conversation with a mark for each picture, by the template or else for it. */
  private String rendered(
      Map<String, @Nullable Object> variables,
      List<Message> messages,
      ChatOptions options,
      Sights sights) {
    var marking = marks(options.special(), sights);
    var all = new LinkedHashMap<>(variables);
    all.put("messages", messages.stream().map(each -> each.variables(tags, sights)).toList());
    if (sights.isEmpty()) return rendered(all, marking);
    try {
      var rendered = rendered(all, marking);
      if (sights.areIn(rendered)) return rendered;
    } catch (TemplateException e) {
      // It takes no lists of texts and pictures.
    }
    all.put("messages", messages.stream().map(each -> each.placed(tags, sights)).toList());
    var rendered = sights.marked(rendered(all, marking));
    if (!sights.areIn(rendered)) throw sights.unmarked();
    return rendered;
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

  private Prompt encoded(ControlMarks.Unmarked whole, Sights sights) {
    var tokens = tokenizer.encode(whole.text(), Surround.OMITTED, whole.spans());
    return new Prompt(whole.text(), sights.in(tokens, 0), whole.text().length(), sights.pictures());
  }

  private Optional<Prompt> continued(ControlMarks.Unmarked whole, Prompt known, Sights sights) {
    int count = known.tokens().length;
    if (count == 0 || !whole.text().startsWith(known.text())) return Optional.empty();
    if (!sights.begin(known.pictures())) return Optional.empty();
    var rest = whole.from(known.text().length());
    var encoded = tokenizer.encode(rest.text(), Surround.OMITTED, rest.spans());
    var tokens = sights.in(encoded, known.pictures().size());
    // A text can be cut before a control token, where no merge crosses.
    if (encoded.length == 0 || !tokenizer.isSpecial(encoded[0])) return Optional.empty();
    if (known.tokens()[count - 1] == tokens[0]) count--;
    var all = IntStream.concat(Arrays.stream(known.tokens(), 0, count), Arrays.stream(tokens));
    return Optional.of(
        new Prompt(whole.text(), all.toArray(), rest.text().length(), sights.pictures()));
  }

  /** The same data with every text in it marked, names of fields too. */
  private static @Nullable Object marked(@Nullable Object value, ControlMarks marks) {
    return switch (value) {
      case String text -> marks.mark(text);
      case Message.Placed placed -> placed.text(marks::mark);
      case JsonNode node when node.isString() -> marks.mark(node.stringValue());
      case JsonNode node when node.isArray() -> marked(node.values(), marks);
      case JsonNode node when node.isObject() -> {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        for (var field : node.properties()) fields.put(field.getKey(), field.getValue());
        yield marked(fields, marks);
      }
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, @Nullable Object>();
        map.forEach(
            (name, field) -> fields.put(marks.mark(String.valueOf(name)), marked(field, marks)));
        yield fields;
      }
      case Collection<?> items -> {
        var list = new ArrayList<@Nullable Object>();
        for (var item : items) list.add(marked(item, marks));
        yield list;
      }
      case null -> null;
      default -> value;
    };
  }
}
