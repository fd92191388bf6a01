package weft.serve.batch;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import weft.input.LineFile;
import weft.serve.models.ServeException;

/**
 * The file that answers go to, a line each, and what it says of an earlier run. It ends with a
 * whole line at any time, but for a line that is being written. Who opens it closes it. Safe for
 * all threads.
 */
final class BatchOutput implements AutoCloseable {
  /** What a line begins with, so that no other file is taken for one. */
  static final String ID = "batch_req_";

  private static final byte[] HEAD = ("{\"id\":\"" + ID).getBytes(StandardCharsets.UTF_8);

  /** What a line is told by is at its beginning. */
  private static final int BEGINNING = 1 << 16;

  private static final JsonFactory FACTORY = JsonFactory.builder().build();

  private final Path file;
  private final FileOutputStream out;
  private boolean isClosed; // guarded by this
  private final Set<String> ids = new HashSet<>();
  private final Set<Integer> lines = new HashSet<>();

  private BatchOutput(Path file) throws IOException {
    this.file = file;
    // A channel would be closed by the interrupt of a thread that writes to it.
    this.out = new FileOutputStream(file.toFile(), true);
  }

  /**
   * Opens a file to be gone on with, or a new one. A line that was left half written is cut off.
   *
   * @throws ServeException where the file has anything but answers
   */
  static BatchOutput open(Path file) throws IOException {
    requireFile(file);
    var output = new BatchOutput(file);
    try (var known = LineFile.open(file, BEGINNING)) {
      for (var line = known.next(); line.isPresent(); line = known.next()) {
        if (line.get().isEnded()) output.learn(line.get());
        else requireOurs(file, line.get());
      }
      output.cut(known.wholeLines());
      return output;
    } catch (IOException | RuntimeException e) {
      output.close();
      throw e;
    }
  }

  private void cut(long end) throws IOException {
    if (Files.size(file) > end) out.getChannel().truncate(end);
  }

  private static void requireFile(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new ServeException(file + " is no regular file, so that no answers can go to it");
    }
  }

  /** Only what this has written is cut off. */
  private static void requireOurs(Path file, LineFile.Line line) {
    int known = Math.min(HEAD.length, line.bytes().length);
    for (int i = 0; i < known; i++) {
      if (line.bytes()[i] != HEAD[i]) throw foreign(file, line.number());
    }
  }

  private static ServeException foreign(Path file, int number) {
    return new ServeException(
        "line %d of %s is no answer of a batch, so that it cannot be gone on with; give another name"
            .formatted(number, file));
  }

  private void learn(LineFile.Line line) {
    var id = "";
    int number = 0;
    boolean isOurs = false;
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), line.bytes())) {
      isOurs = parser.nextToken() == JsonToken.START_OBJECT;
      while (isOurs && parser.nextToken() == JsonToken.PROPERTY_NAME) {
        var name = parser.currentName();
        var value = parser.nextToken();
        if (name.equals("id")) isOurs = parser.getString().startsWith(ID);
        if (name.equals("custom_id") && value == JsonToken.VALUE_STRING) id = parser.getString();
        // The answer itself is long, and says no more of the line.
        if (name.equals("response") && value == JsonToken.START_OBJECT) break;
        if (name.equals("error") && value == JsonToken.START_OBJECT) number = number(parser);
      }
    } catch (JacksonException e) {
      isOurs = false;
    }
    if (!isOurs || id.isEmpty() && number == 0) throw foreign(file, line.number());
    if (number > 0) lines.add(number);
    else ids.add(id);
  }

  /** The line that an error is about. */
  private static int number(JsonParser parser) {
    int number = 0;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      var name = parser.currentName();
      if (parser.nextToken() == JsonToken.VALUE_NUMBER_INT && name.equals("line")) {
        number = parser.getIntValue();
      } else {
        parser.skipChildren();
      }
    }
    return number;
  }

  /** How many lines an earlier run has answered. */
  int known() {
    return ids.size() + lines.size();
  }

  /** Whether an earlier run has answered a line. */
  boolean has(BatchLine line) {
    return switch (line) {
      case BatchLine.Asked asked -> ids.contains(asked.id());
      case BatchLine.Wrong wrong -> lines.contains(wrong.number());
    };
  }

  /** Writes an answer, which is in the file when this returns; false where it was closed before. */
  synchronized boolean write(String answer) {
    if (isClosed) return false;
    try {
      out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (isClosed) return;
    isClosed = true;
    try (out) {
      out.getFD().sync();
    }
  }

  /** Whether both are one file, which would be overwritten as it is read. */
  static boolean isSame(Path one, Path other) throws IOException {
    return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
  }
}
