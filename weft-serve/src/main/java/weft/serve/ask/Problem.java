package weft.serve.ask;

import java.time.Duration;
import java.util.List;

/**
 * What can be wrong with a request, or with answering it. Each dialect writes it in its own shape
 * and status; none of it tells of the machine that the server runs on.
 */
public sealed interface Problem {
  /** What is wrong, for people. */
  String sentence();

  /**
   * A field that is not what it may be.
   *
   * @param name its path, such as {@code messages[2].role}
   * @param met what was there instead
   * @param allowed what may be there
   */
  record BadField(String name, String met, String allowed) implements Problem {
    @Override
    public String sentence() {
      return "'%s' must be %s, got %s".formatted(name, allowed, met);
    }
  }

  /** A field that would change what the answer means, and that this server cannot keep. */
  record Unsupported(String name, String why) implements Problem {
    @Override
    public String sentence() {
      return "'%s' is not supported: %s".formatted(name, why);
    }
  }

  /** A body that is not what the route reads. */
  record BadBody(String why) implements Problem {
    @Override
    public String sentence() {
      return "the body of the request " + why;
    }
  }

  /** A conversation that the model's template refuses. */
  record BadConversation(String why) implements Problem {
    @Override
    public String sentence() {
      return "the chat template of the model refuses these messages: " + why;
    }
  }

  /** An image that cannot be shown to the model. */
  record BadImage(String why) implements Problem {
    @Override
    public String sentence() {
      return why;
    }
  }

  /** A model that is not served. */
  record UnknownModel(String name, List<String> served) implements Problem {
    public UnknownModel {
      served = List.copyOf(served);
    }

    @Override
    public String sentence() {
      return "model '%s' not found; there are %s".formatted(name, served);
    }
  }

  /** A model that is served, but could not be loaded. */
  record UnloadableModel(String name) implements Problem {
    @Override
    public String sentence() {
      return "the model '%s' could not be loaded; the server's log says why".formatted(name);
    }
  }

  /** A prompt that leaves no room for an answer. */
  record ContextExceeded(int tokens, int context) implements Problem {
    @Override
    public String sentence() {
      return "the prompt has %d tokens, but the maximum context length of this model is %d; shorten it"
          .formatted(tokens, context);
    }
  }

  /** More requests than the server takes at once. */
  record Busy(Duration retryAfter) implements Problem {
    @Override
    public String sentence() {
      return "the server has more requests than it can take; try again in %d s"
          .formatted(seconds(retryAfter));
    }
  }

  /** A server that is about to end. */
  record Leaving(Duration retryAfter) implements Problem {
    @Override
    public String sentence() {
      return "the server is shutting down; try again in %d s".formatted(seconds(retryAfter));
    }
  }

  /** A body beyond the limit. */
  record TooLarge(long most) implements Problem {
    @Override
    public String sentence() {
      return "the body of the request has more than the %d bytes that are allowed".formatted(most);
    }
  }

  /** A body that is packed in a way that this server does not unpack. */
  record Packed(String coding) implements Problem {
    @Override
    public String sentence() {
      return "the body of the request is packed as '%s', but must be gzip, deflate or not packed"
          .formatted(coding);
    }
  }

  /** No key, or none that opens. */
  record Unauthorized(boolean isGiven) implements Problem {
    @Override
    public String sentence() {
      return isGiven
          ? "the API key is not one that this server knows"
          : "this server wants an API key: 'Authorization: Bearer KEY' or 'x-api-key: KEY'";
    }
  }

  /** A page of another site, in whose name a browser came. */
  record ForeignOrigin() implements Problem {
    @Override
    public String sentence() {
      return "pages of other origins may not call this server; --cors lists those that may";
    }
  }

  /** A path that leads nowhere. */
  record UnknownRoute() implements Problem {
    @Override
    public String sentence() {
      return "there is nothing at this path; /openapi.json lists what there is";
    }
  }

  /** Something that other servers of a dialect do, and this one does not. */
  record NotServed(String why) implements Problem {
    @Override
    public String sentence() {
      return "not supported: " + why;
    }
  }

  /** Something that is not here, or no longer. */
  record NotFound(String what) implements Problem {
    @Override
    public String sentence() {
      return "there is no " + what;
    }
  }

  /** A response to go on from that is not here, or no longer. */
  record UnknownPrevious(String id) implements Problem {
    @Override
    public String sentence() {
      return "there is no response '%s' to go on from; send all of the conversation as 'input'"
          .formatted(id.length() <= 64 ? id : id.substring(0, 64) + "...");
    }
  }

  /** A path that is there, but not for this method. */
  record WrongMethod(List<String> allowed) implements Problem {
    public WrongMethod {
      allowed = List.copyOf(allowed);
    }

    @Override
    public String sentence() {
      return "this path takes %s".formatted(String.join(", ", allowed));
    }
  }

  /** A fault of the server's own, of which clients need to know no more. */
  record Internal() implements Problem {
    @Override
    public String sentence() {
      return "the server failed to answer; its log says why";
    }
  }

  /** Whole seconds, at least one, as {@code Retry-After} has them. */
  static long seconds(Duration time) {
    return Math.max(1, time.plusMillis(999).toSeconds());
  }
}
