package examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import weft.generate.Ticket;
import weft.load.LanguageModel;

/**
 * Goes on from each line of a file and writes the replies, a line each: {@code examples/run
 * BatchFile in.txt out.txt}. All lines are submitted at once; how many are made at a time is the
 * model's choice.
 */
public final class BatchFile {
  private BatchFile() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      System.err.println("BatchFile takes a file of prompts and one for the replies");
      System.exit(2);
    }
    try (var model = LanguageModel.builtIn()) {
      var tickets =
          Files.readAllLines(Path.of(args[0])).stream()
              .filter(line -> !line.isBlank())
              .map(line -> model.submit(model.request(line).withMaxTokens(24)))
              .toList();
      var replies =
          tickets.stream().map(Ticket::await).map(reply -> oneLine(reply.text())).toList();
      Files.write(Path.of(args[1]), replies);
      System.out.println(replies.size() + " replies in " + args[1]);
    }
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
