package weft.chat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import weft.generate.Request;
import weft.generate.Sampling;
import weft.generate.Stops;
import weft.text.tokenizer.SpecialText;

/**
 * How a conversation is answered: how tokens are chosen, when an answer ends, which tools there
 * are, and what else the model's template reads. A value, made by {@link #standard} and the {@code
 * with} methods; safe for all threads.
 */
public final class ChatOptions {
  private static final ChatOptions STANDARD =
      new ChatOptions(
          request -> request, List.of(), ToolChoice.AUTO, Map.of(), SpecialText.ESCAPED);

  private final UnaryOperator<Request> request;
  private final List<Tool> tools;
  private final ToolChoice choice;
  private final Map<String, @Nullable Object> variables;
  private final SpecialText special;

  private ChatOptions(
      UnaryOperator<Request> request,
      List<Tool> tools,
      ToolChoice choice,
      Map<String, @Nullable Object> variables,
      SpecialText special) {
    this.request = request;
    this.tools = List.copyOf(tools);
    this.choice = Objects.requireNonNull(choice, "choice");
    this.variables = variables;
    this.special = Objects.requireNonNull(special, "special");
  }

  /** Greedy, to the model's own end of its turn, without tools. */
  public static ChatOptions standard() {
    return STANDARD;
  }

  public ChatOptions withSampling(Sampling sampling) {
    Objects.requireNonNull(sampling, "sampling");
    return withRequest(each -> each.withSampling(sampling));
  }

  /** The most tokens of an answer, its thinking included. */
  public ChatOptions withMaxTokens(int max) {
    Stops.NONE.withMaxTokens(max); // refused here, where it is given
    return withRequest(each -> each.withMaxTokens(max));
  }

  /** What ends an answer besides the model's own end of its turn. */
  public ChatOptions withStops(Stops stops) {
    Objects.requireNonNull(stops, "stops");
    return withRequest(each -> each.withStops(stops));
  }

  /** Whatever else may be said of the request for each answer; after what was said before. */
  public ChatOptions withRequest(UnaryOperator<Request> change) {
    Objects.requireNonNull(change, "change");
    return new ChatOptions(
        each -> change.apply(request.apply(each)), tools, choice, variables, special);
  }

  /** The tools that the model is told of. */
  public ChatOptions withTools(List<Tool> known) {
    return new ChatOptions(request, known, choice, variables, special);
  }

  /** Whether the model calls tools, and which; what it likes, unless something else is said. */
  public ChatOptions withToolChoice(ToolChoice wanted) {
    return new ChatOptions(request, tools, wanted, variables, special);
  }

  /** Whether the model thinks, where its template has a switch for that. */
  public ChatOptions withThinking(boolean isOn) {
    return withVariable("enable_thinking", isOn);
  }

  /** A variable that the model's template reads, by its name. */
  public ChatOptions withVariable(String name, @Nullable Object value) {
    var more = new LinkedHashMap<>(variables);
    more.put(Objects.requireNonNull(name, "name"), value);
    return new ChatOptions(request, tools, choice, more, special);
  }

  /**
   * What control tokens that messages spell mean: text, unless {@link SpecialText#PARSED} trusts
   * all who write them.
   */
  public ChatOptions withSpecialText(SpecialText meaning) {
    return new ChatOptions(request, tools, choice, variables, meaning);
  }

  SpecialText special() {
    return special;
  }

  Request of(Request bare) {
    return request.apply(bare);
  }

  /** The tools that the model may call. */
  List<Tool> tools() {
    return choice.isNone() ? List.of() : tools;
  }

  ToolChoice choice() {
    return choice;
  }

  /** What templates read besides the messages and the tools. */
  Map<String, @Nullable Object> variables() {
    return new LinkedHashMap<>(variables);
  }
}
