package weft.cli.chat;

import java.time.Duration;
import java.util.Locale;
import weft.generate.Usage;

/** What all replies of a chat have cost together. */
final class ChatStats {
  private int replies;
  private int fed;
  private int reused;
  private int decoded;
  private Duration prefill = Duration.ZERO;
  private Duration decode = Duration.ZERO;

  void add(Usage usage) {
    replies++;
    fed += usage.prefillTokens();
    reused += usage.cachedTokens();
    decoded += usage.decodeTokens();
    prefill = prefill.plus(usage.prefill());
    decode = decode.plus(usage.decode());
  }

  int replies() {
    return replies;
  }

  String text() {
    return "%d replies%nprompts: %d tokens fed, %d kept from before, %s%nreplies: %d tokens, %s"
        .formatted(replies, fed, reused, rate(fed, prefill), decoded, rate(decoded, decode));
  }

  private static String rate(int tokens, Duration time) {
    double seconds = time.toNanos() / 1e9;
    return String.format(
        Locale.ROOT, "%.2f s, %.1f tokens/s", seconds, seconds > 0 ? tokens / seconds : 0);
  }
}
