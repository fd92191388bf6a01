package weft.chat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How a model writes calls of tools, by what its template shows of them. */
enum CallFormat {
  /** A JSON object between tags: Hermes, Qwen2.5, Qwen3. */
  TAGGED_JSON(new TaggedCalls()),
  /** A function and its parameters between tags: Qwen3-Coder, Qwen3.5. */
  TAGGED_PARAMETERS(new TaggedCalls()),
  /** A JSON object that is all of the answer: Llama 3. */
  BARE_JSON(new BareCalls()),
  /** A list of JSON objects behind a control token: Mistral up to its third tokenizer. */
  MISTRAL_LIST(new MistralCalls()),
  /** A name and its arguments behind control tokens: Mistral since. */
  MISTRAL_NAMED(new MistralCalls()),
  /** A notation of its own: Gemma 4. */
  GEMMA(new GemmaCalls(), new BareCalls()),
  /**
   * The template knows of no tools, or shows them in a way that we do not read: Weft tells the
   * model of them, and how to call them.
   */
  TAUGHT(new BareCalls(), new CodeCalls());

  /** Control tokens of all formats, which are part of what a model writes. */
  static final List<String> CONTROLS =
      List.of(
          TaggedCalls.OPEN,
          TaggedCalls.CLOSE,
          MistralCalls.CALLS,
          MistralCalls.ID,
          MistralCalls.ARGUMENTS,
          BareCalls.PYTHON,
          GemmaCalls.OPEN,
          GemmaCalls.CLOSE,
          GemmaCalls.QUOTE);

  private final List<CallSyntax> syntaxes;

  CallFormat(CallSyntax... syntaxes) {
    this.syntaxes = List.of(syntaxes);
  }

  /** The format that a template's source speaks of. */
  static CallFormat of(String template) {
    if (!template.contains("tool")) return TAUGHT;
    if (template.contains(GemmaCalls.OPEN + GemmaCalls.CALL)) return GEMMA;
    if (template.contains(MistralCalls.CALLS)) {
      return template.contains(MistralCalls.ARGUMENTS) ? MISTRAL_NAMED : MISTRAL_LIST;
    }
    if (template.contains(TaggedCalls.OPEN)) return tagged(template);
    boolean isLlama = Stream.of("\"parameters\"", "tools", "ipython").allMatch(template::contains);
    return isLlama ? BARE_JSON : TAUGHT;
  }

  private static CallFormat tagged(String template) {
    boolean hasParameters =
        template.contains(TaggedCalls.FUNCTION) && template.contains("<parameter=");
    if (hasParameters) return TAGGED_PARAMETERS;
    // GLM and others have other notations between the same tags.
    return template.contains("\"name\"") || template.contains("\\\"name\\\"")
        ? TAGGED_JSON
        : TAUGHT;
  }

  /** What begins a call and nothing else. */
  Optional<String> mark() {
    return switch (this) {
      case TAGGED_JSON, TAGGED_PARAMETERS -> Optional.of(TaggedCalls.OPEN);
      case MISTRAL_LIST, MISTRAL_NAMED -> Optional.of(MistralCalls.CALLS);
      case BARE_JSON, GEMMA, TAUGHT -> Optional.empty();
    };
  }

  /** Those that calls of this format are written with. */
  List<String> controls() {
    return CONTROLS.stream().filter(this::isWritten).toList();
  }

  private boolean isWritten(String control) {
    return switch (this) {
      case TAGGED_JSON, TAGGED_PARAMETERS ->
          control.equals(TaggedCalls.OPEN) || control.equals(TaggedCalls.CLOSE);
      case MISTRAL_LIST -> control.equals(MistralCalls.CALLS);
      case MISTRAL_NAMED -> control.startsWith("[");
      case BARE_JSON, GEMMA, TAUGHT -> false;
    };
  }

  List<CallSyntax> syntaxes() {
    return syntaxes;
  }
}
