package weft.cli.chat;

import java.util.Map;

/** One message of a conversation. */
record Message(String role, String content) {
  static final String SYSTEM = "system";
  static final String USER = "user";
  static final String ASSISTANT = "assistant";

  Map<String, String> variables() {
    return Map.of("role", role, "content", content);
  }
}
