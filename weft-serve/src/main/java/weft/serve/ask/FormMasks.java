package weft.serve.ask;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import weft.chat.SpareSpace;
import weft.constrain.ConstrainException;
import weft.constrain.Grammar;
import weft.constrain.Regex;
import weft.constrain.schema.JsonSchema;
import weft.generate.Mask;
import weft.load.LanguageModel;

/**
 * Forms of answers as masks over a model's tokens. Those used last are kept, for what they learn on
 * one text serves the next. Safe for all threads.
 */
final class FormMasks {
  /** Forms that are kept for a model. */
  private static final int KEPT = 16;

  // guarded by this; a model that is unloaded takes its masks along
  private final Map<LanguageModel, Map<Form, Supplier<Mask>>> known = new WeakHashMap<>();

  /** The mask of a form; one that cannot be kept exactly is a problem. */
  Supplier<Mask> of(LanguageModel model, Form form) {
    synchronized (this) {
      var kept = forms(model).get(form);
      if (kept != null) return kept;
    }
    var made = make(model, form);
    synchronized (this) {
      var forms = forms(model);
      forms.put(form, made);
      if (forms.size() > KEPT) forms.remove(forms.keySet().iterator().next());
    }
    return made;
  }

  private Map<Form, Supplier<Mask>> forms(LanguageModel model) {
    return known.computeIfAbsent(model, _ -> new LinkedHashMap<>(KEPT, 0.75f, true));
  }

  private static Supplier<Mask> make(LanguageModel model, Form form) {
    try {
      var mask = model.constrain(grammar(form));
      return switch (form) {
        case Form.AnyObject _, Form.Schema _ -> {
          var tokenizer = model.tokenizer();
          var blank = SpareSpace.blank(tokenizer);
          yield () -> new SpareSpace(mask.get(), tokenizer, blank);
        }
        case Form.Free _, Form.Pattern _, Form.Grammar _ -> mask;
      };
    } catch (ConstrainException e) {
      throw new ProblemException(new Problem.Unsupported("response_format", e.getMessage()), e);
    }
  }

  private static Grammar grammar(Form form) {
    return switch (form) {
      case Form.Free() -> throw new IllegalArgumentException("any text needs no grammar");
      case Form.AnyObject() -> JsonSchema.anyObject();
      case Form.Schema(var schema) -> JsonSchema.compile(schema);
      case Form.Pattern(var regex) -> Grammar.of(Regex.parse(regex));
      case Form.Grammar(var gbnf) -> Grammar.parse(gbnf);
    };
  }
}
