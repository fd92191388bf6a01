package weft.cli.chat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import weft.chat.Message;
import weft.chat.Part;
import weft.format.FormatException;
import weft.format.WholeFile;
import weft.input.SmallInput;

/**
 * Conversations as JSON, in the form that {@code weft render --messages} reads, and the history.
 */
final class ChatFile {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int LONGEST = 64 << 20;

  /** What a picture is, its bytes say. */
  private static final String DATA = "data:image/*;base64,";

  private ChatFile() {}

  static void save(Path file, List<Message> messages) {
    var document = MAPPER.createObjectNode();
    var list = document.putArray("messages");
    for (var message : messages) {
      var written = list.addObject().put("role", message.role());
      if (message.shown().isEmpty()) written.put("content", message.content());
      else message.parts().forEach(part -> write(part, written.withArray("content")));
    }
    var text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n";
    try {
      var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      WholeFile.write(
          file,
          channel -> {
            while (bytes.hasRemaining()) channel.write(bytes);
          });
    } catch (FormatException e) {
      throw new ChatFileException("The conversation is not saved: " + e.getMessage(), e);
    }
  }

  private static void write(Part part, ArrayNode content) {
    switch (part) {
      case Part.Text(var text) -> content.addObject().put("type", "text").put("text", text);
      case Part.Image(var file, var _) ->
          content.addObject().put("type", "image_url").putObject("image_url").put("url", url(file));
      case Part.Video(var files, var perSecond, var _) -> {
        var video = content.addObject().put("type", "video").put("fps", perSecond);
        files.forEach(file -> video.withArray("video").add(url(file)));
      }
      case Part.Thought _, Part.Call _ -> {} // what is shown is the user's
    }
  }

  private static String url(byte[] file) {
    return DATA + Base64.getEncoder().encodeToString(file);
  }

  private static Part part(JsonNode part, Path file) {
    if (part.path("text").isString()) return new Part.Text(part.path("text").stringValue());
    try {
      var frames = part.path("video");
      if (frames.isArray()) {
        double perSecond = part.path("fps").asDouble(Part.Video.USUAL_PER_SECOND);
        var files = frames.values().stream().map(ChatFile::bytes).toList();
        return new Part.Video(files, perSecond, "a video in " + file);
      }
      return new Part.Image(bytes(part.path("image_url").path("url")), "a picture in " + file);
    } catch (IllegalArgumentException e) {
      throw new ChatFileException(
          file
              + ": a part of a message needs a text, an image_url with its bytes, or a video with its frames'",
          e);
    }
  }

  private static byte[] bytes(JsonNode url) {
    var text = url.asString("");
    if (!text.startsWith("data:")) throw new IllegalArgumentException("no data");
    return Base64.getDecoder().decode(text.substring(text.indexOf(',') + 1));
  }

  /** Where a folder keeps what was typed; a pipe of that name would hold up every chat. */
  static Path history(Path folder) throws IOException {
    Files.createDirectories(folder);
    var file = folder.resolve("chat-history");
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is not a regular file");
    }
    return file;
  }

  static List<Message> load(Path file) {
    try {
      var messages = new ArrayList<Message>();
      var list =
          MAPPER.readTree(SmallInput.text(file, SmallInput.named(file, LONGEST))).path("messages");
      for (var message : list) {
        var role = message.path("role");
        var content = message.path("content");
        if (role.isString() && content.isArray()) {
          var parts = content.values().stream().map(each -> part(each, file));
          messages.add(Message.of(role.stringValue(), parts.toArray(Part[]::new)));
          continue;
        }
        if (!role.isString() || !content.isString()) {
          throw new ChatFileException(
              file + ": a message needs a role and a content that are texts, got " + message);
        }
        messages.add(
            role.stringValue().equals(Message.ASSISTANT)
                ? Message.assistant(content.stringValue())
                : Message.of(role.stringValue(), new Part.Text(content.stringValue())));
      }
      if (messages.isEmpty()) throw new ChatFileException(file + " has no messages");
      return messages;
    } catch (JacksonException e) {
      throw new ChatFileException(file + " is not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new ChatFileException(e.getMessage(), e);
    }
  }
}
