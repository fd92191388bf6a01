package weft.cli.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Conversations as JSON, in the form that {@code weft render --messages} reads. */
final class ChatFile {
  private static final JsonMapper MAPPER = new JsonMapper();

  private ChatFile() {}

  static void save(Path file, List<Message> messages) {
    var document = MAPPER.createObjectNode();
    var list = document.putArray("messages");
    for (var message : messages) {
      list.addObject().put("role", message.role()).put("content", message.content());
    }
    try {
      Files.writeString(
          file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n");
    } catch (IOException e) {
      throw new ChatFileException("The conversation could not be written to " + file + ": " + e, e);
    }
  }

  static List<Message> load(Path file) {
    try {
      var messages = new ArrayList<Message>();
      var list = MAPPER.readTree(Files.readString(file)).path("messages");
      for (var message : list) {
        var role = message.path("role");
        var content = message.path("content");
        if (!role.isString() || !content.isString()) {
          throw new ChatFileException(
              file + ": a message needs a role and a content that are texts, got " + message);
        }
        messages.add(new Message(role.stringValue(), content.stringValue()));
      }
      if (messages.isEmpty()) throw new ChatFileException(file + " has no messages");
      return messages;
    } catch (JacksonException e) {
      throw new ChatFileException(file + " is not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new ChatFileException(file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
