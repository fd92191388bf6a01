package weft.serve.ask;

import java.util.List;
import java.util.Objects;
import weft.chat.ChatOptions;
import weft.chat.Message;

/** What an answer goes on from. A value. */
public sealed interface Prompt {
  /**
   * A conversation, which the model's template makes a text.
   *
   * @param options tools, the choice of them and what else the template reads; how tokens are
   *     chosen is the {@link Ask}'s
   */
  record Talk(List<Message> messages, ChatOptions options) implements Prompt {
    public Talk {
      messages = List.copyOf(messages);
      Objects.requireNonNull(options, "options");
    }
  }

  /** A text as it is, but for the tokens that the model wants around every text. */
  record Text(String text) implements Prompt {
    public Text {
      Objects.requireNonNull(text, "text");
    }
  }

  /** Tokens as they are. */
  record Ids(int[] tokens) implements Prompt {
    public Ids {
      tokens = tokens.clone();
    }

    @Override
    public int[] tokens() {
      return tokens.clone();
    }
  }
}
