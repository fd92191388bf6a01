package weft.serve.clients;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What a streaming model of LangChain4j said, piece by piece, and what it made of it at the end.
 */
record Heard(String text, ChatResponse end) {
  static Heard of(StreamingChatModel model, ChatRequest request) {
    var text = new StringBuffer();
    var end = new CompletableFuture<ChatResponse>();
    model.chat(
        request,
        new StreamingChatResponseHandler() {
          @Override
          public void onPartialResponse(String piece) {
            text.append(piece);
          }

          @Override
          public void onCompleteResponse(ChatResponse response) {
            end.complete(response);
          }

          @Override
          public void onError(Throwable failure) {
            end.completeExceptionally(failure);
          }
        });
    var last = end.orTimeout(60, TimeUnit.SECONDS).join();
    return new Heard(text.toString(), last);
  }
}
