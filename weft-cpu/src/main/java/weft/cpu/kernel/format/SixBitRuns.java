package weft.cpu.kernel.format;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.Place;

/** A format of eight runs with minimums, whose scales are a head of {@link SixBitScales}. */
public sealed interface SixBitRuns extends LongBlockCode permits Q4_KCode, Q5_KCode {
  SixBitScales scales();

  @Override
  default int zero() {
    return 0;
  }

  @Override
  default int run() {
    return 32;
  }

  @Override
  default Order order() {
    return Order.RUNS;
  }

  @Override
  default void scales16(Vec to, Place block) {
    scales().scales16(to, block);
  }

  @Override
  default void scales8(Vec first, Vec second, Place block) {
    scales().scales8(first, second, block);
  }

  @Override
  default void words(Vec scales, Vec minimums, Place block) {
    scales().words(scales, minimums, block);
  }

  @Override
  default int unit() {
    return 0;
  }

  @Override
  default int minimumUnit() {
    return 2;
  }

  @Override
  default void panel16(Vec to, Vec t, Place block) {
    scales().panel16(to, t, block);
  }
}
