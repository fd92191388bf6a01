package weft.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads a reply as it comes: what is thought, what is said, which tools are called. All of the text
 * is heard as fragments, each part of it once, however it was cut. For one reply, on one thread at
 * a time.
 */
public final class AnswerReader {
  private final ThoughtTags tags;
  private final boolean isSingle;
  private final Consumer<Fragment> sink;
  private final Thinking thinking;
  private final Optional<CallReader> calls;
  private final List<Part> parts = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder arguments = new StringBuilder();
  private boolean isThought;
  private Optional<Fragment.CallBegins> call = Optional.empty();
  private boolean isComplete;

  AnswerReader(
      String prompt,
      ThoughtTags tags,
      CallFormat format,
      ChatOptions options,
      Consumer<Fragment> sink) {
    this.tags = tags;
    this.isSingle = options.choice().isSingle();
    this.sink = sink;
    this.thinking = Thinking.after(prompt, tags, this::take);
    this.isThought = Thinking.isOpenedBy(prompt, tags);
    // What the prompt says of the thought is part of it: a template finds it again.
    if (isThought) text.append(prompt.substring(prompt.stripTrailing().length()));
    Map<String, Tool> tools =
        options.tools().stream()
            .collect(Collectors.toMap(Tool::name, Function.identity(), (a, _) -> a));
    this.calls =
        tools.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new CallReader(format.syntaxes(), tools, () -> CallIds.fresh(format), this::pass));
  }

  /** Hears the next piece of the reply's text. */
  public void add(String piece) {
    if (!isComplete) thinking.add(piece);
  }

  /** Hears that the reply is over: what was held back comes out. */
  public void end() {
    if (isComplete) return;
    thinking.end();
    if (!isComplete) calls.ifPresent(CallReader::end);
    isComplete = true;
  }

  /** Whether nothing more is wanted of the reply: it has ended, or made its only call. */
  public boolean isComplete() {
    return isComplete;
  }

  /** The reply so far as a conversation keeps it. */
  public Message message() {
    var all = new ArrayList<>(parts);
    // A call that is cut off is not to be made, but was said.
    var rest = call.isPresent() ? calls.map(CallReader::raw).orElse("") : text.toString();
    if (!rest.isEmpty() || all.isEmpty()) {
      all.add(isThought ? new Part.Thought(rest) : new Part.Text(rest));
    }
    return Message.of(Message.ASSISTANT, all.toArray(Part[]::new));
  }

  /** What is said may be a call. */
  private void take(Fragment fragment) {
    switch (fragment) {
      case Fragment.Said(var said) when calls.isPresent() -> calls.get().add(said);
      case Fragment.Said _,
          Fragment.Thought _,
          Fragment.Tag _,
          Fragment.CallBegins _,
          Fragment.Arguments _,
          Fragment.CallEnds _ ->
          pass(fragment);
    }
  }

  private void pass(Fragment fragment) {
    if (isComplete) return;
    switch (fragment) {
      case Fragment.Said(var said) -> text.append(said);
      case Fragment.Thought(var thought) -> text.append(thought);
      case Fragment.Tag(var tag) -> tag(tag);
      case Fragment.CallBegins begun -> {
        close();
        arguments.setLength(0);
        call = Optional.of(begun);
      }
      case Fragment.Arguments(_, var json) -> arguments.append(json);
      case Fragment.CallEnds _ -> endCall();
    }
    sink.accept(fragment);
  }

  private void tag(String tag) {
    boolean isTag = tag.equals(isThought ? tags.close() : tags.open());
    if (!isTag) { // white space next to one
      text.append(tag);
      return;
    }
    close();
    isThought = !isThought;
  }

  private void endCall() {
    var begun = call.orElseThrow();
    var made = Part.Call.of(begun.id(), begun.name(), arguments.toString());
    // Arguments that are no JSON are kept as the text they are.
    parts.add(made.isPresent() ? made.get() : new Part.Text(calls.orElseThrow().raw()));
    call = Optional.empty();
    isComplete = isSingle;
  }

  /** What was written so far is a part. */
  private void close() {
    if (!text.isEmpty()) {
      parts.add(isThought ? new Part.Thought(text.toString()) : new Part.Text(text.toString()));
    }
    text.setLength(0);
  }
}
