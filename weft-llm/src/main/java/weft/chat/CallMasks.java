package weft.chat;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weft.constrain.Constraint;
import weft.constrain.Vocabulary;
import weft.generate.Mask;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Tokenizer;

/**
 * Masks that make a model call tools. Those for the same tools share what they learn; the least
 * recently used are forgotten. Safe for all threads.
 */
final class CallMasks {
  /** Sets of tools that are remembered. */
  private static final int MOST_KEPT = 16;

  private record Key(List<Tool> tools, ToolChoice choice, boolean isThinking) {}

  private final Tokenizer tokenizer;
  private final CallFormat format;
  private final ThoughtTags tags;
  private final Map<Key, Constraint> kept =
      new LinkedHashMap<>(MOST_KEPT, 0.75f, true); // guarded by this, as the next two
  private Optional<Vocabulary> vocabulary = Optional.empty();
  private Optional<BitSet> blank = Optional.empty();

  CallMasks(Tokenizer tokenizer, CallFormat format, ThoughtTags tags) {
    this.tokenizer = tokenizer;
    this.format = format;
    this.tags = tags;
  }

  /**
   * A mask for a demanded call.
   *
   * @param isThinking the prompt has opened a thought
   * @param ends the tokens that end a reply
   */
  Supplier<Mask> demanding(ChatOptions options, boolean isThinking, Set<Integer> ends) {
    var constraint = constraint(new Key(options.tools(), options.choice(), isThinking), ends);
    return () -> spared(mask(constraint), isThinking);
  }

  /**
   * A mask for calls that the model makes by itself, where some tools are strict; empty otherwise,
   * and for Gemma, whose own notation no grammar here has.
   */
  Optional<Supplier<Mask>> strict(ChatOptions options, Set<Integer> ends) {
    if (format == CallFormat.GEMMA || options.tools().stream().noneMatch(Tool::isStrict)) {
      return Optional.empty();
    }
    var constraint = constraint(new Key(options.tools(), ToolChoice.AUTO, false), ends);
    Function<ConstraintMask, Mask> sparing = mask -> spared(mask, false);
    var token = mark();
    if (token.isPresent()) {
      return Optional.of(() -> new StrictCalls(token.getAsInt(), () -> mask(constraint), sparing));
    }
    var begun = CallBeginning.of(format, options.tools());
    return Optional.of(() -> new BegunCalls(begun, tokenizer, () -> mask(constraint), sparing));
  }

  /** The token that begins a call and nothing else, where the model has one. */
  private OptionalInt mark() {
    return format.mark().map(tokenizer::idOf).orElse(OptionalInt.empty());
  }

  private ConstraintMask mask(Constraint constraint) {
    return ConstraintMask.of(constraint, tokenizer, SpecialText.PARSED);
  }

  private Mask spared(ConstraintMask mask, boolean isThinking) {
    // Thoughts and parameters in tags are no JSON, and may have all the blanks they like.
    boolean isJson = !isThinking && format != CallFormat.TAGGED_PARAMETERS;
    return isJson ? new SpareSpace(mask, tokenizer, blank()) : mask;
  }

  private synchronized BitSet blank() {
    if (blank.isEmpty()) blank = Optional.of(SpareSpace.blank(tokenizer));
    return blank.get();
  }

  private synchronized Constraint constraint(Key key, Set<Integer> ends) {
    var known = Optional.ofNullable(kept.get(key));
    if (known.isPresent()) return known.get();
    if (vocabulary.isEmpty()) vocabulary = Optional.of(vocabulary(ends));
    List<ThoughtTags> opened = key.isThinking ? List.of(tags) : List.of();
    var grammar =
        key.choice.isDemanded()
            ? CallGrammar.of(format, key.tools, key.choice, opened)
            : mark().isPresent()
                ? CallGrammar.behindMark(format, key.tools)
                : CallGrammar.begun(format, key.tools);
    var made = Constraint.of(grammar, vocabulary.get());
    kept.put(key, made);
    if (kept.size() > MOST_KEPT) kept.remove(kept.keySet().iterator().next());
    return made;
  }

  /** The control tokens of the model's own notation are what its calls are written with. */
  private Vocabulary vocabulary(Set<Integer> ends) {
    var controls =
        Stream.concat(format.controls().stream(), Stream.of(tags.close()))
            .flatMap(token -> tokenizer.idOf(token).stream().boxed())
            .collect(Collectors.toSet());
    return ConstraintMask.vocabulary(tokenizer, ends, controls);
  }
}
