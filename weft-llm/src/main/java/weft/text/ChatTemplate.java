package weft.text;

import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import weft.text.jinja.Limits;
import weft.text.jinja.Template;
import weft.text.jinja.TemplateException;

/**
 * A chat template that turns a conversation into the prompt a model was trained on; immutable.
 * Rendering follows Hugging Face Transformers and fails with a {@link TemplateException}, whose
 * kind tells the template's own complaints apart.
 */
public final class ChatTemplate {
  private final String source;
  private final Template template;
  private final Limits limits;
  private final Clock clock;

  private ChatTemplate(String source, Template template, Limits limits, Clock clock) {
    this.source = source;
    this.template = template;
    this.limits = limits;
    this.clock = clock;
  }

  /** Compiles Jinja source; fails with a {@link TemplateException} that names the place. */
  public static ChatTemplate compile(String source) {
    return new ChatTemplate(
        source, Template.compile(source), Limits.DEFAULT, Clock.systemDefaultZone());
  }

  /**
   * A template of ours for a checkpoint that brings none, by one of the names in {@link #styles}.
   */
  public static ChatTemplate ofStyle(String style) {
    return compile(ChatStyles.source(style));
  }

  /** The names that {@link #ofStyle} knows; {@code chatml} is the most common. */
  public static Set<String> styles() {
    return ChatStyles.names();
  }

  /** This template with another clock for {@code strftime_now}. */
  public ChatTemplate withClock(Clock other) {
    return new ChatTemplate(source, template, limits, other);
  }

  /** This template with other limits on what a rendering may use. */
  public ChatTemplate withLimits(Limits other) {
    return new ChatTemplate(source, template, other, clock);
  }

  public String source() {
    return source;
  }

  /**
   * Renders {@code messages} and any other variables: {@code tools}, {@code documents}, {@code
   * add_generation_prompt}, special tokens such as {@code bos_token}, and what else the template
   * reads. Values are text, numbers, booleans, null, maps, collections or JSON trees. With {@code
   * continue_final_message} true the prompt ends where the last message's content does.
   */
  public String render(Map<String, ? extends @Nullable Object> variables) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    // A template asks whether tools is none, not whether it is defined.
    all.put("tools", null);
    all.put("documents", null);
    all.put("add_generation_prompt", false);
    all.putAll(variables);
    if (!all.containsKey("messages")) {
      throw new TextException(
          "there are no messages to render; pass them as the variable 'messages'");
    }
    boolean continues = isTrue(all.remove("continue_final_message"));
    if (!continues) {
      return template.render(all, limits, clock);
    }
    if (isTrue(all.get("add_generation_prompt"))) {
      throw new TextException(
          "add_generation_prompt starts a new message and continue_final_message extends the last one; set only one");
    }
    FinalMessage last = FinalMessage.tag(all.get("messages"));
    all.put("messages", last.messages());
    return last.cut(template.render(all, limits, clock));
  }

  /** As {@link #render(Map)}, with the variables as a JSON object. */
  public String render(JsonNode variables) {
    if (!variables.isObject()) {
      throw new TextException(
          "template variables have to be a JSON object, got " + variables.getNodeType());
    }
    Map<String, JsonNode> map = new LinkedHashMap<>();
    variables.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue()));
    return render(map);
  }

  private static boolean isTrue(@Nullable Object value) {
    return Boolean.TRUE.equals(value)
        || value instanceof JsonNode node && node.isBoolean() && node.booleanValue();
  }
}
