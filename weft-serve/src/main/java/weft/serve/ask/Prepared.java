package weft.serve.ask;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import weft.chat.AfterThought;
import weft.chat.ChatTurn;
import weft.chat.Message;
import weft.chat.Part;
import weft.constrain.ConstrainException;
import weft.generate.BusyException;
import weft.generate.GenerateException;
import weft.generate.Mask;
import weft.generate.Request;
import weft.generate.StepRefusedException;
import weft.image.ImageException;
import weft.load.LanguageModel;
import weft.text.TextException;
import weft.text.jinja.TemplateException;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;

/**
 * A prompt as a model sees it.
 *
 * @param turn the turn of a chat; empty where a text goes on
 * @param mask keeps the answer to its form; empty where it has none
 */
record Prepared(int[] tokens, Optional<ChatTurn> turn, Optional<Supplier<Mask>> mask) {
  /** What a model makes of an ask; a prompt that cannot be answered is a problem. */
  static Prepared of(LanguageModel model, Ask ask, FormMasks masks) {
    requireBias(model, ask);
    var ready = checked(prepare(model, ask.prompt()), model.contextLength());
    return ask.form() instanceof Form.Free
        ? ready
        : ready.formed(model, masks.of(model, ask.form()));
  }

  private static void requireBias(LanguageModel model, Ask ask) {
    int size = model.model().vocabularySize();
    for (int token : ask.sampling().penalties().bias().keySet()) {
      if (token >= size) {
        throw new ProblemException(
            new Problem.BadField("logit_bias", "token " + token, "tokens up to " + (size - 1)));
      }
    }
  }

  private Prepared formed(LanguageModel model, Supplier<Mask> form) {
    var prompt = turn.map(chat -> chat.prompt().text()).orElse("");
    Supplier<Mask> behind = () -> AfterThought.of(form.get(), prompt, model.tokenizer());
    return new Prepared(tokens, turn, Optional.of(behind));
  }

  /** The tokens of a prompt that nothing is to follow, at most so many. */
  static int[] tokens(LanguageModel model, Prompt prompt, int most) {
    return checked(prepare(model, prompt), most).tokens;
  }

  /** What a template writes. */
  static String text(LanguageModel model, Prompt.Talk talk) {
    return prepare(model, talk).turn.map(chat -> chat.prompt().text()).orElseThrow();
  }

  private static Prepared checked(Prepared ready, int most) {
    if (ready.tokens.length > most) {
      throw new ProblemException(new Problem.ContextExceeded(ready.tokens.length, most));
    }
    if (ready.tokens.length == 0) {
      throw new ProblemException(
          new Problem.BadField("prompt", "nothing", "a text of at least one token"));
    }
    return ready;
  }

  private static Prepared prepare(LanguageModel model, Prompt prompt) {
    try {
      return switch (prompt) {
        case Prompt.Talk(var messages, var options) -> {
          requireSight(model, messages);
          var turn = model.turn(messages, options);
          yield new Prepared(turn.prompt().tokens(), Optional.of(turn), Optional.empty());
        }
        case Prompt.Text(String text) ->
            plain(model.tokenizer().encode(text, Surround.ADDED, SpecialText.PARSED));
        case Prompt.Ids ids -> plain(checked(model, ids.tokens()));
      };
    } catch (ImageException e) {
      throw new ProblemException(new Problem.BadImage(e.getMessage()), e);
    } catch (TemplateException e) {
      throw new ProblemException(new Problem.BadConversation(e.getMessage()), e);
    } catch (ConstrainException e) {
      throw new ProblemException(new Problem.Unsupported("tools", e.getMessage()), e);
    } catch (TextException e) {
      throw new ProblemException(new Problem.BadBody("has a text that cannot be read"), e);
    }
  }

  private static void requireSight(LanguageModel model, List<Message> messages) {
    for (var message : messages) {
      for (var shown : message.shown()) {
        if (model.sight().isEmpty()) {
          var what =
              switch (shown) {
                case Part.Image _ -> "images";
                case Part.Video _ -> "videos";
              };
          throw new ProblemException(
              new Problem.Unsupported(shown.origin(), "this model reads text alone, not " + what));
        }
      }
    }
  }

  private static Prepared plain(int[] tokens) {
    return new Prepared(tokens, Optional.empty(), Optional.empty());
  }

  private static int[] checked(LanguageModel model, int[] tokens) {
    int size = model.model().vocabularySize();
    for (int token : tokens) {
      if (token < 0 || token >= size) {
        throw new ProblemException(
            new Problem.BadField("prompt", "token " + token, "tokens from 0 to " + (size - 1)));
      }
    }
    return tokens;
  }

  Voice voice(int index, LanguageModel model, Consumer<Event> hearer) {
    return new Voice(index, model.tokenizer(), turn, hearer);
  }

  /** The request for one of the answers; each draws its own numbers. */
  Request request(LanguageModel model, Ask ask, int index) {
    var sampling = ask.sampling();
    var request =
        turn.map(ChatTurn::request)
            .orElseGet(() -> model.request(tokens))
            .withSampling(sampling.withSeed(sampling.seed() + index))
            .withStops(ask.stops())
            .withLogprobs(ask.logprobs())
            .withPriority(ask.priority())
            .withIsolation(ask.isolation());
    var formed = mask.isPresent() ? request.withMask(mask.get()) : request;
    return ask.isIgnoringEnds() ? formed.ignoringEnds() : formed;
  }

  /** What a client is told of a reply that could not be made. */
  static Problem problem(GenerateException failure) {
    return failure instanceof BusyException busy
        ? new Problem.Busy(busy.retryAfter())
        : new Problem.Internal();
  }

  /** A prompt whose keys and values never fit: what fits, by what this one would take. */
  ProblemException tooLarge(LanguageModel model, StepRefusedException refusal) {
    var memory = model.model().memory();
    double share = (double) memory.budget() / model.model().bytesFor(tokens.length);
    int fits = (int) Math.min(tokens.length, tokens.length * share);
    return new ProblemException(new Problem.ContextExceeded(tokens.length, fits), refusal);
  }
}
