package weft.serve.openai;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weft.chat.Message;
import weft.load.LoadOptions;
import weft.serve.Running;
import weft.serve.ask.Answering;
import weft.serve.metrics.Meters;
import weft.serve.web.Json;

class ResponseTalkTest {
  private static ResponseStore.Kept kept(long characters) {
    var said = Message.user("x".repeat((int) characters));
    return new ResponseStore.Kept(Json.object(), List.of(said), List.of());
  }

  /** A text that is cut to the context goes on for as long as its client likes. */
  @Test
  void aSocketKeepsNoMoreThanAServer() {
    try (var shelf = Running.shelf(LoadOptions.standard())) {
      var talk = new ResponseTalk(new Responses(new Answering(shelf, new Meters())));
      talk.keep("one", kept(ResponseStore.LARGEST_KEPT - 2), false);
      assertThat(talk.find("one")).isPresent();
      talk.keep("two", kept(ResponseStore.LARGEST_KEPT - 1), false);
      assertThat(talk.find("two")).isEmpty();
      assertThat(talk.find("one")).isEmpty();
    }
  }
}
