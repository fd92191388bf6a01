package weft.bench.speculation;

import static weft.bench.speculation.Main.line;
import static weft.bench.speculation.Main.median;
import static weft.bench.speculation.Main.speed;

import java.util.List;
import weft.chat.ChatOptions;
import weft.chat.Message;
import weft.generate.PromptLookup;
import weft.generate.Request;
import weft.generate.Speculation;
import weft.generate.Usage;
import weft.load.LanguageModel;

/** The built-in model telling its stories, with guesses that are its own head's. */
final class Stories {
  private static final int TOKENS = 200;
  private static final int WARM = 40;
  private static final int MOST = 8;
  private static final List<String> HEROES =
      List.of("a small dragon", "a brave mouse", "Mia and her boat", "an old clock");

  private Stories() {}

  static void table(int repetitions, StringBuilder out) {
    try (var model = LanguageModel.builtIn()) {
      line(out, "");
      line(out, "**The built-in model** on %d stories, greedy", HEROES.size());
      line(out, "");
      line(out, "| guesses | plain, tokens/s | times plain | accepted | tokens a pass |");
      line(out, "|---|---:|---:|---:|---:|");
      for (int depth : new int[] {1, 2, 3, 4}) {
        model
            .mtpDrafter()
            .ifPresent(
                drafter ->
                    row(
                        model,
                        "its head, " + depth,
                        Speculation.of(drafter, depth),
                        repetitions,
                        out));
      }
      model
          .mtpDrafter()
          .ifPresent(
              drafter ->
                  row(
                      model,
                      "its head, as many as pay",
                      Speculation.adaptive(drafter, MOST),
                      repetitions,
                      out));
      row(
          model,
          "lookup, as many as pay",
          Speculation.adaptive(new PromptLookup(), MOST),
          repetitions,
          out);
    }
  }

  private static void row(
      LanguageModel model,
      String name,
      Speculation speculation,
      int repetitions,
      StringBuilder out) {
    // The JVM compiles what is between the passes of a model this small for some seconds.
    for (int warm = 0; warm < WARM; warm++) {
      reply(model, warm, Speculation.NONE);
      reply(model, warm, speculation);
    }
    double[] ratios = new double[repetitions * HEROES.size()];
    double[] plain = new double[ratios.length];
    double drafted = 0;
    double accepted = 0;
    double made = 0;
    double passes = 0;
    for (int turn = 0; turn < ratios.length; turn++) {
      double before = speed(reply(model, turn, Speculation.NONE));
      Usage usage = reply(model, turn, speculation);
      plain[turn] = (before + speed(reply(model, turn, Speculation.NONE))) / 2;
      ratios[turn] = speed(usage) / plain[turn];
      drafted += usage.draftedTokens();
      accepted += usage.acceptedTokens();
      made += usage.generatedTokens();
      passes += usage.forwards();
    }
    line(
        out,
        "| %s | %.0f | %.2f | %.2f | %.1f |",
        name,
        median(plain),
        median(ratios),
        drafted == 0 ? 0 : accepted / drafted,
        made / passes);
  }

  private static Usage reply(LanguageModel model, int turn, Speculation speculation) {
    var hero = HEROES.get(turn % HEROES.size());
    Request request =
        model
            .turn(
                List.of(Message.user("Tell me a story about " + hero + ".")),
                ChatOptions.standard())
            .request();
    return model.generate(request.withMaxTokens(TOKENS).withSpeculation(speculation)).usage();
  }
}
