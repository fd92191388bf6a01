package weft.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.chat.ConstraintMask;
import weft.constrain.ConstrainException;
import weft.constrain.Constraint;
import weft.constrain.Grammar;
import weft.constrain.Regex;
import weft.constrain.Vocabulary;
import weft.constrain.schema.JsonSchema;
import weft.load.TextParts;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/** Tells which texts a schema, a pattern or a grammar allows, token by token. */
@Command(
    name = "constrain",
    description = {
      "Tells which texts a schema, a pattern or a grammar allows, token by token.",
      "MODEL may also be a folder with tokenizer files, a tokenizer.json, or a GGUF file without"
          + " weights."
    })
final class ConstrainCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelArgument model;

  @Option(
      names = "--jsonl",
      required = true,
      description = {
        "Read {\"schema\":..|\"regex\":..|\"grammar\":..,\"texts\":[..]} lines from standard input,"
            + " write {\"accepted\":[bool,..],\"compile_us\":..,\"mask_us\":{\"average\":..,"
            + "\"greatest\":..},\"tokens\":..} or {\"error\":..} lines. A pattern matches whole texts."
      })
  private boolean isJsonLines;

  ConstrainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var parts = TextParts.at(model.path(console));
    var tokenizer = parts.tokenizer().orElseThrow(parts::noTokenizer);
    // An end is wanted even where the tokenizer names none: that of the text.
    int end = tokenizer.eos().orElse(tokenizer.vocabularySize());
    var vocabulary = ConstraintMask.vocabulary(tokenizer, Set.of(end));
    var lines = TextInput.lines(console);
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      if (line.get().isBlank()) continue;
      var place = "line " + lines.number() + " of standard input";
      try {
        Json.print(console, answer(Json.parseExactly(line.get()), tokenizer, vocabulary, end));
      } catch (JacksonException e) {
        throw new CliException(place + " is not JSON: " + e.getOriginalMessage(), e);
      } catch (CliException e) {
        throw new CliException(place + ": " + e.getMessage(), e);
      }
    }
    return 0;
  }

  private static ObjectNode answer(
      JsonNode question, Tokenizer tokenizer, Vocabulary vocabulary, int end) {
    var texts = question.path("texts");
    if (!texts.isArray() || !texts.valueStream().allMatch(JsonNode::isString)) {
      throw new CliException("expected \"texts\", a list of texts");
    }
    var answer = Json.object();
    try {
      long start = System.nanoTime();
      var constraint = Constraint.of(grammar(question), vocabulary);
      double compile = microseconds(System.nanoTime() - start);
      var times = new Times();
      var accepted = Json.array();
      for (var text : texts) {
        int[] ids = tokenizer.encode(text.stringValue(), Surround.OMITTED, SpecialText.ESCAPED);
        accepted.add(isAccepted(constraint, text.stringValue(), ids, end, times));
      }
      answer.set("accepted", accepted);
      answer.put("compile_us", compile);
      var masks = answer.putObject("mask_us");
      masks.put("average", times.count == 0 ? 0 : microseconds(times.sum / times.count));
      masks.put("greatest", microseconds(times.greatest));
      answer.put("tokens", times.tokens);
    } catch (ConstrainException e) {
      answer.put("error", e.getMessage());
    }
    return answer;
  }

  private static Grammar grammar(JsonNode question) {
    if (question.has("schema")) return JsonSchema.compile(question.get("schema"));
    if (question.path("regex").isString()) {
      return Grammar.of(Regex.parse(question.get("regex").stringValue()));
    }
    if (question.path("grammar").isString()) {
      return Grammar.parse(question.get("grammar").stringValue());
    }
    throw new CliException(
        "expected \"schema\", a JSON Schema, \"regex\", a pattern, or \"grammar\", a text in GBNF");
  }

  /** How long the masks of some texts took, in nanoseconds. */
  private static final class Times {
    private long sum;
    private long greatest;
    private int count;
    private int tokens;

    void add(long nanos) {
      sum += nanos;
      greatest = Math.max(greatest, nanos);
      count++;
    }
  }

  private static double microseconds(long nanos) {
    return nanos / 1e3;
  }

  /** Every token must be allowed where it comes, and then the end. */
  private static boolean isAccepted(
      Constraint constraint, String text, int[] ids, int end, Times times) {
    var matcher = constraint.matcher();
    times.tokens += ids.length;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i <= ids.length; i++) {
      long start = System.nanoTime();
      var allowed = matcher.allowed();
      times.add(System.nanoTime() - start);
      if (i == ids.length) return allowed.contains(end);
      byte[] token = constraint.vocabulary().text(ids[i]);
      // Where a text begins, some tokenizers put a space before it, which a reply has not.
      boolean isPadded = i == 0 && token.length > 0 && token[0] == ' ' && !text.startsWith(" ");
      if (isPadded) {
        byte[] own = Arrays.copyOfRange(token, 1, token.length);
        if (!Arrays.equals(own, Arrays.copyOf(bytes, own.length)) || !matcher.accept(own)) {
          return false;
        }
      } else if (!allowed.contains(ids[i]) || !matcher.accept(ids[i])) {
        return false;
      }
    }
    return false;
  }
}
