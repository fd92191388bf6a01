package weft.generate;

import java.util.List;

/**
 * Steps of a batch, or a new session, that a model has no memory for. Nothing was fed: every
 * session is as it was, and the other steps can be fed without these.
 */
public final class StepRefusedException extends GenerateException {
  private static final long serialVersionUID = 1L;

  private final transient List<Model.Step> refused;

  public StepRefusedException(String message, List<Model.Step> refused) {
    super(message);
    this.refused = List.copyOf(refused);
  }

  /** Those that there is no room for beside the others; none where a session was to be opened. */
  public List<Model.Step> refused() {
    return refused;
  }
}
