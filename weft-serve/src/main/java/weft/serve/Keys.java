package weft.serve;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import weft.serve.ask.Problem;
import weft.serve.ask.ProblemException;
import weft.serve.web.Visit;

/**
 * The keys that open a server. How long a comparison takes says nothing of them: digests are
 * compared, whole, and with all keys. Safe for all threads.
 */
final class Keys {
  private static final String BEARER = "bearer ";

  private final List<byte[]> digests;

  Keys(List<String> keys) {
    this.digests = keys.stream().map(Keys::digest).toList();
  }

  private static byte[] digest(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  boolean areWanted() {
    return !digests.isEmpty();
  }

  /** Lets a visit in, or says what is missing. */
  void requireKnown(Visit visit) {
    if (!areWanted()) return;
    var given = given(visit);
    if (!given.map(this::isKnown).orElse(false)) {
      visit.withHeader("WWW-Authenticate", "Bearer");
      throw new ProblemException(new Problem.Unauthorized(given.isPresent()));
    }
  }

  /** The key that a visit brings, right or wrong. */
  static Optional<String> given(Visit visit) {
    return visit
        .header("Authorization")
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip())
        .or(() -> visit.header("x-api-key").map(String::strip));
  }

  private boolean isKnown(String key) {
    var digest = digest(key);
    boolean isKnown = false;
    for (var known : digests) isKnown |= MessageDigest.isEqual(known, digest);
    return isKnown;
  }
}
