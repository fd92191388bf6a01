package weft.constrain.schema;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import weft.constrain.Grammar;
import weft.constrain.Part;
import weft.constrain.Regex;

/** Writes terms as rules of a grammar, each term once. Of one thread. */
final class RuleWriter {
  private static final Regex NULL = Regex.text("null");
  private static final Regex TRUE = Regex.text("true");
  private static final Regex FALSE = Regex.text("false");

  private final Grammar.Builder builder;
  private final Meaning meaning;
  private final Map<Term, Part> parts = new HashMap<>();
  private final Map<Shape, Part> shapes = new HashMap<>();
  private final Map<Object, Part> shared = new HashMap<>();
  private final ArrayDeque<Runnable> open = new ArrayDeque<>();

  RuleWriter(Grammar.Builder builder, Meaning meaning) {
    this.builder = builder;
    this.meaning = meaning;
  }

  Meaning meaning() {
    return meaning;
  }

  /** The rule of a term, all that it needs being written too. */
  Grammar.Rule write(Term term) {
    var rule = builder.rule("json", part(term));
    while (!open.isEmpty()) open.remove().run();
    return rule;
  }

  /** A rule that is written later. */
  Grammar.Rule later(String name, Supplier<Part> part) {
    meaning.effort().step();
    var rule = builder.rule(name);
    open.add(() -> builder.define(rule, part.get()));
    return rule;
  }

  /** A rule that is written later, one for all who ask for it by equal keys. */
  Part once(Object key, Supplier<Part> part) {
    var known = shared.get(key);
    if (known != null) return known;
    Part reference = later("members", part).reference();
    shared.put(key, reference);
    return reference;
  }

  /** How the values of a term are written; what is not plain has a rule of its own. */
  Part part(Term term) {
    var known = parts.get(term);
    if (known != null) return known;
    var part = part(meaning.shape(term), term);
    parts.put(term, part);
    return part;
  }

  private Part part(Shape shape, Term term) {
    var known = shapes.get(shape);
    if (known != null) return known;
    Part part;
    if (shape.isPlain()) {
      part = placed(term, () -> Part.lexeme(plain(shape)));
    } else {
      var name = term.place().map(Term.Place::pointer).orElse("value");
      part = later(name, () -> placed(term, () -> choice(shape))).reference();
    }
    shapes.put(shape, part);
    return part;
  }

  private static Part placed(Term term, Supplier<Part> part) {
    try {
      return part.get();
    } catch (Unplaced e) {
      throw e.at(term);
    }
  }

  private Part choice(Shape shape) {
    var choices = new ArrayList<Part>();
    var plain = shape.withArrays(List.of()).withObjects(List.of());
    if (!meaning.isEmpty(plain)) choices.add(Part.lexeme(plain(plain)));
    for (var array : shape.arrays()) new ArrayWriter(this, array).write().ifPresent(choices::add);
    for (var object : shape.objects())
      new ObjectWriter(this, object).write().ifPresent(choices::add);
    return choices.size() == 1 ? choices.getFirst() : new Part.Choice(choices);
  }

  /** How null, truth values, numbers and texts are written, in one expression. */
  private Regex plain(Shape shape) {
    var spellings = new ArrayList<Regex>();
    if (shape.nulls()) spellings.add(NULL);
    if (shape.trues()) spellings.add(TRUE);
    if (shape.falses()) spellings.add(FALSE);
    if (!shape.numbers().isEmpty()) spellings.add(NumberSpelling.of(shape.numbers()));
    if (!shape.texts().isEmpty(meaning.walks()))
      spellings.add(Json.quoted(shape.texts().spelled()));
    return spellings.size() == 1 ? spellings.getFirst() : new Regex.AnyOf(spellings);
  }
}
