package weft.chat;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** Names of calls, by which their results are known. */
final class CallIds {
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final String PREFIX = "call_";
  private static final int USUAL = 24;

  /** What templates of Mistral want, and nothing else. */
  private static final int MISTRAL = 9;

  private CallIds() {}

  static String fresh(CallFormat format) {
    return isShort(format) ? random(MISTRAL) : PREFIX + random(USUAL);
  }

  private static boolean isShort(CallFormat format) {
    return format == CallFormat.MISTRAL_LIST || format == CallFormat.MISTRAL_NAMED;
  }

  private static String random(int length) {
    return ThreadLocalRandom.current()
        .ints(length, 0, LETTERS.length())
        .mapToObj(i -> String.valueOf(LETTERS.charAt(i)))
        .collect(Collectors.joining());
  }

  /** The same name, or another that the format's templates take; equal names stay equal. */
  static String fitted(String id, CallFormat format) {
    boolean isFit = id.length() == MISTRAL && id.chars().allMatch(c -> LETTERS.indexOf(c) >= 0);
    if (!isShort(format) || isFit) return id;
    long hash = 0xcbf29ce484222325L; // FNV-1a, of 64 bits
    for (int i = 0; i < id.length(); i++) hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
    var letters = new StringBuilder();
    for (int i = 0; i < MISTRAL; i++) {
      letters.append(LETTERS.charAt((int) Long.remainderUnsigned(hash, LETTERS.length())));
      hash = Long.divideUnsigned(hash, LETTERS.length());
    }
    return letters.toString();
  }
}
