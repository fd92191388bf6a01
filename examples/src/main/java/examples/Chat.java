package examples;

import weft.chat.ChatOptions;
import weft.load.LanguageModel;

/**
 * Asks one question after the other: {@code examples/run Chat "What is 12 + 30?" "Who are you?"}.
 */
public final class Chat {
  private Chat() {}

  public static void main(String[] args) {
    var questions = args.length > 0 ? args : new String[] {"What is 12 + 30?", "Who are you?"};
    try (var model = LanguageModel.builtIn()) {
      var conversation = model.conversation().with(ChatOptions.standard().withMaxTokens(200));
      for (var question : questions) {
        System.out.println("> " + question);
        // Piece by piece; ask(question).text() would wait for the whole answer.
        try (var fragments = conversation.stream(question)) {
          fragments.forEach(fragment -> System.out.print(fragment.text()));
        }
        System.out.println();
      }
    }
  }
}
