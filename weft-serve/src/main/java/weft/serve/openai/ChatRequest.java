package weft.serve.openai;

import weft.chat.ChatOptions;
import weft.serve.ask.Images;
import weft.serve.ask.Prompt;
import weft.serve.web.Fields;

/** The part of a chat's request that becomes its prompt. */
public final class ChatRequest {
  private ChatRequest() {}

  /** Messages, tools and what else a template is told. */
  public static Prompt.Talk talk(Fields body, Images images) {
    var options = ChatTools.read(body, ChatThinking.read(body, ChatOptions.standard()));
    return new Prompt.Talk(ChatMessages.read(body, images), options);
  }
}
