package weft.bench.masks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import weft.chat.ConstraintMask;
import weft.constrain.ConstrainException;
import weft.constrain.Constraint;
import weft.constrain.Vocabulary;
import weft.constrain.schema.JsonSchema;
import weft.load.TextParts;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/**
 * Plays MaskBench's protocol: every token of an instance must be allowed until one is not or all
 * are taken. The last round is reported, when the JVM has compiled what it needs; every round
 * compiles all schemas anew.
 */
public final class Main {
  private final Tokenizer tokenizer;
  private final Vocabulary vocabulary;
  private final boolean isNaming;
  private Times compiles = new Times();
  private Times masks = new Times();
  private int passed;
  private int refused;
  private int wronglyAccepted;
  private int wronglyRefused;

  private Main(Tokenizer tokenizer, boolean isNaming) {
    this.tokenizer = tokenizer;
    this.vocabulary =
        ConstraintMask.vocabulary(
            tokenizer, Set.of(tokenizer.eos().orElse(tokenizer.vocabularySize())));
    this.isNaming = isNaming;
  }

  public static void main(String[] args) throws IOException {
    var all = List.of(args);
    var file = TextParts.at(Path.of(value(all, "--tokenizer").orElseThrow()));
    int every = Integer.parseInt(value(all, "--every").orElse("1"));
    int rounds = Integer.parseInt(value(all, "--rounds").orElse("2"));
    var cases = new ArrayList<Case>();
    var lines = Files.readAllLines(Path.of(value(all, "--schemas").orElseThrow()));
    for (int i = 0; i < lines.size(); i += every) cases.add(Case.read(lines.get(i)));
    var main = new Main(file.tokenizer().orElseThrow(), all.contains("--names"));
    for (int round = 0; round < rounds; round++) main.play(cases);
    main.report(cases.size());
  }

  /** The last value of an option. */
  private static Optional<String> value(List<String> args, String name) {
    int at = args.lastIndexOf(name);
    return at < 0 || at + 1 == args.size() ? Optional.empty() : Optional.of(args.get(at + 1));
  }

  private void play(List<Case> cases) {
    compiles = new Times();
    masks = new Times();
    passed = 0;
    refused = 0;
    wronglyAccepted = 0;
    wronglyRefused = 0;
    cases.forEach(this::play);
  }

  private void play(Case one) {
    long start = Times.now();
    Constraint constraint;
    try {
      constraint = Constraint.of(JsonSchema.compile(one.schema()), vocabulary);
    } catch (ConstrainException e) {
      refused++;
      if (isNaming) System.out.println(one.name() + " is refused: " + e.getMessage());
      return;
    }
    compiles.add(Times.now() - start);
    boolean isRight = true;
    for (var instance : one.instances()) {
      if (isAccepted(constraint, instance.text()) == instance.isValid()) continue;
      isRight = false;
      if (instance.isValid()) wronglyRefused++;
      else wronglyAccepted++;
      if (isNaming) {
        System.out.printf(
            "%s: %s instance %s%n",
            one.name(), instance.isValid() ? "refused" : "accepted", instance.text());
      }
    }
    if (isRight) passed++;
  }

  private boolean isAccepted(Constraint constraint, String text) {
    var matcher = constraint.matcher();
    try {
      for (int token : tokenizer.encode(text, Surround.OMITTED, SpecialText.ESCAPED)) {
        long start = Times.now();
        var allowed = matcher.allowed();
        masks.add(Times.now() - start);
        if (!allowed.contains(token) || !matcher.accept(token)) return false;
      }
      return matcher.isComplete();
    } catch (ConstrainException e) {
      if (isNaming) System.out.println(e.getMessage());
      return false;
    }
  }

  private void report(int schemas) {
    System.out.printf(
        "%d schemas, %d tokens in the vocabulary: %d pass (%.1f%%), %d refused by name,"
            + " %d instances wrongly accepted, %d wrongly refused%n",
        schemas,
        vocabulary.size(),
        passed,
        100.0 * passed / schemas,
        refused,
        wronglyAccepted,
        wronglyRefused);
    System.out.println("masks: " + masks.summary());
    System.out.println("compiled: " + compiles.summary());
  }
}
