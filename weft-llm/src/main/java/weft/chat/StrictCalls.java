package weft.chat;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import weft.generate.Mask;

/**
 * Leaves a reply alone until a token begins a call, and keeps that call to its grammar. For one
 * reply, on one thread.
 */
final class StrictCalls implements Mask {
  private final int token;
  private final Supplier<ConstraintMask> calls;
  private final Function<ConstraintMask, Mask> sparing;
  private Optional<ConstraintMask> call = Optional.empty();
  private Mask mask = Mask.NONE;

  /**
   * Masks for what follows a token.
   *
   * @param sparing keeps a call from white space without end
   */
  StrictCalls(int token, Supplier<ConstraintMask> calls, Function<ConstraintMask, Mask> sparing) {
    this.token = token;
    this.calls = calls;
    this.sparing = sparing;
  }

  @Override
  public void apply(float[] logits) {
    mask.apply(logits);
  }

  @Override
  public void chosen(int next) {
    mask.chosen(next);
    if (call.isEmpty() && next == token) {
      call = Optional.of(calls.get());
      mask = sparing.apply(call.get());
    } else if (call.isPresent() && call.get().isComplete()) {
      call = Optional.empty();
      mask = Mask.NONE;
    }
  }

  @Override
  public int[] forced() {
    return mask.forced();
  }
}
