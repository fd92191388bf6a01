package weft.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import weft.load.TextParts;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.SpecialTokens;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/** Shows the tokens of a text. */
@Command(
    name = "tokenize",
    description = {
      "Shows the tokens of a text, which comes from standard input unless it is given.",
      "MODEL may also be a folder with tokenizer files, a tokenizer.json, or a GGUF file without"
          + " weights."
    })
final class TokenizeCommand implements Callable<Integer> {
  private final Console console;

  @Mixin private ModelArgument model;

  @Option(
      names = {"-p", "--prompt"},
      paramLabel = "TEXT",
      description = "The text.")
  private @Nullable String text;

  @Option(names = "--prompt-file", paramLabel = "FILE", description = "A file with the text.")
  private @Nullable Path file;

  @Option(
      names = "--jsonl",
      description = {
        "Read {\"text\":..,\"add_special\":bool} lines from standard input, write"
            + " {\"ids\":[..],\"decoded\":..} lines. With \"ids\" in place of \"text\", only decode;"
            + " with \"parse_special\":false, control tokens in the text are text."
      })
  private boolean isJsonLines;

  @Option(names = "--show", description = "Print the tokens themselves, coloured in a terminal.")
  private boolean isShowing;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean isJson;

  @Option(
      names = "--no-special",
      description = "Leave out the tokens that the model expects around a text.")
  private boolean isWithoutSurround;

  TokenizeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    var parts = TextParts.at(model.path(console));
    var tokenizer = parts.tokenizer().orElseThrow(parts::noTokenizer);
    if (isJsonLines) {
      lines(tokenizer);
      return 0;
    }
    var surround = isWithoutSurround ? Surround.OMITTED : Surround.ADDED;
    var ids = tokenizer.encode(text(), surround, SpecialText.PARSED);
    if (isJson) {
      var document = Json.object();
      document.set("ids", Json.array(ids));
      var tokens = document.putArray("tokens");
      for (int id : ids) tokens.add(tokenizer.token(id));
      Json.print(console, document);
    } else if (isShowing) {
      new TokenDisplay(tokenizer, console).show(ids);
    } else {
      console
          .out()
          .println(Arrays.stream(ids).mapToObj(String::valueOf).collect(Collectors.joining(",")));
    }
    return 0;
  }

  private String text() {
    if (text != null) return text;
    return file != null ? TextInput.file(file) : TextInput.standard(console);
  }

  private void lines(Tokenizer tokenizer) throws IOException {
    var lines = TextInput.lines(console);
    for (var line = lines.next(); line.isPresent(); line = lines.next()) {
      if (line.get().isBlank()) continue;
      var place = "line " + lines.number() + " of standard input";
      try {
        Json.print(console, answer(tokenizer, Json.parse(line.get())));
      } catch (JacksonException e) {
        throw new CliException(place + " is not JSON: " + e.getOriginalMessage(), e);
      } catch (CliException e) {
        throw new CliException(place + ": " + e.getMessage(), e);
      }
    }
  }

  private static ObjectNode answer(Tokenizer tokenizer, JsonNode question) {
    var ids = ids(tokenizer, question);
    var answer = Json.object();
    answer.set("ids", Json.array(ids));
    answer.put("decoded", tokenizer.decode(ids, SpecialTokens.SHOWN));
    return answer;
  }

  private static int[] ids(Tokenizer tokenizer, JsonNode question) {
    var text = question.path("text");
    if (text.isString()) {
      return tokenizer.encode(
          text.stringValue(),
          isSet(question, "add_special") ? Surround.ADDED : Surround.OMITTED,
          isSet(question, "parse_special") ? SpecialText.PARSED : SpecialText.ESCAPED);
    }
    var ids = question.path("ids");
    if (!ids.isArray() || !ids.valueStream().allMatch(JsonNode::canConvertToInt)) {
      throw new CliException(
          "expected an object with \"text\", a text, or \"ids\", a list of token ids");
    }
    return ids.valueStream().mapToInt(JsonNode::intValue).toArray();
  }

  /** Switches that are not said are on. */
  private static boolean isSet(JsonNode question, String name) {
    var value = question.path(name);
    if (value.isMissingNode() || value.isNull()) return true;
    if (value.isBoolean()) return value.booleanValue();
    throw new CliException("\"" + name + "\" is " + value + ", expected true or false");
  }
}
