package weft.chat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import weft.generate.Mask;
import weft.text.tokenizer.Tokenizer;

/**
 * Leaves a reply alone until its text has begun a call, and keeps that call to its grammar, which
 * has followed it until then. For one reply, on one thread.
 */
final class BegunCalls implements Mask {
  private final CallBeginning beginning;
  private final Tokenizer tokenizer;
  private final Supplier<ConstraintMask> calls;
  private final Function<ConstraintMask, Mask> sparing;

  /** What may yet become a call, and its text so far. */
  private Optional<ConstraintMask> call = Optional.empty();

  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private boolean isOnLine = true;
  private boolean isBegun;
  private Mask mask = Mask.NONE;

  /**
   * Masks for calls that begin as it is said.
   *
   * @param sparing keeps a call from white space without end
   */
  BegunCalls(
      CallBeginning beginning,
      Tokenizer tokenizer,
      Supplier<ConstraintMask> calls,
      Function<ConstraintMask, Mask> sparing) {
    this.beginning = beginning;
    this.tokenizer = tokenizer;
    this.calls = calls;
    this.sparing = sparing;
  }

  @Override
  public void apply(float[] logits) {
    mask.apply(logits);
  }

  @Override
  public int[] forced() {
    return mask.forced();
  }

  @Override
  public void chosen(int token) {
    if (isBegun) {
      mask.chosen(token);
      if (call.orElseThrow().isComplete()) forget();
      return;
    }
    if (!tokenizer.has(token)) return;
    for (byte value : tokenizer.bytes(token)) read(value);
    if (call.isPresent() && beginning.hasBegun(text.toString(StandardCharsets.UTF_8))) {
      isBegun = true;
      mask = sparing.apply(call.get());
    }
  }

  private void read(byte value) {
    byte[] one = {value};
    if (call.isPresent() && !call.get().follow(one)) forget();
    boolean mayBegin = value == beginning.first() && (isOnLine || !beginning.isOnLine());
    if (call.isEmpty() && mayBegin) {
      var next = calls.get();
      if (next.follow(one)) call = Optional.of(next);
    }
    if (call.isPresent()) text.write(value);
    isOnLine = value == '\n' || isOnLine && (value == ' ' || value == '\t');
  }

  private void forget() {
    call = Optional.empty();
    text.reset();
    isBegun = false;
    mask = Mask.NONE;
  }
}
