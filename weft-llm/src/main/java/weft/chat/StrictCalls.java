package weft.chat;

import java.util.Optional;
import java.util.function.Supplier;
import weft.generate.Mask;

/**
 * Leaves a reply alone until a token begins a call, and keeps that call to its grammar. For one
 * reply, on one thread.
 */
final class StrictCalls implements Mask {
  private static final int[] NOTHING = {};

  private final int mark;
  private final Supplier<ConstraintMask> calls;
  private Optional<ConstraintMask> call = Optional.empty();

  /** {@code calls} are masks for what follows the mark. */
  StrictCalls(int mark, Supplier<ConstraintMask> calls) {
    this.mark = mark;
    this.calls = calls;
  }

  @Override
  public void apply(float[] logits) {
    call.ifPresent(mask -> mask.apply(logits));
  }

  @Override
  public void chosen(int token) {
    if (call.isPresent()) {
      call.get().chosen(token);
      if (call.get().isComplete()) call = Optional.empty();
    } else if (token == mark) {
      call = Optional.of(calls.get());
    }
  }

  @Override
  public int[] forced() {
    return call.map(ConstraintMask::forced).orElse(NOTHING);
  }
}
