package weft.cpu.kernel.format;

/** A format of 32 values under a float, or a float and one that is added. */
public sealed interface ShortAbreastCode extends AbreastCode permits Q8_0Abreast, NibbleAbreast {
  @Override
  default int run() {
    return ShortBlockCode.VALUES;
  }

  @Override
  default int[] order() {
    return new int[] {0, 1};
  }
}
