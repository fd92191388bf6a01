package weft.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Tells the files that this user's weft wrote from those that came otherwise: a keyed hash
 * (HMAC-SHA256, RFC 2104) under a secret that stays in the user's own folder.
 */
final class Seal {
  private static final String SECRET = "seal.key";
  private static final int SECRET_BYTES = 32;
  private static final int BLOCK = 64;

  private final byte[] inner = new byte[BLOCK];
  private final byte[] outer = new byte[BLOCK];

  private Seal(byte[] secret) {
    for (int i = 0; i < BLOCK; i++) {
      int key = i < secret.length ? secret[i] : 0;
      inner[i] = (byte) (key ^ 0x36);
      outer[i] = (byte) (key ^ 0x5c);
    }
  }

  /** The seal of a folder; a secret that is not there or cannot be one is made anew. */
  static Seal of(PrivateFolder folder) throws IOException {
    var known = folder.read(SECRET, SECRET_BYTES);
    if (known.isPresent() && known.get().length == SECRET_BYTES) return new Seal(known.get());
    var secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    folder.write(SECRET, secret);
    return new Seal(secret);
  }

  /** Of parts that lie behind each other. */
  String on(byte[]... parts) {
    // The JDK's own Mac takes tens of milliseconds to come up; this is two digests.
    var digest = sha256();
    digest.update(inner);
    for (var part : parts) digest.update(part);
    var within = digest.digest();
    digest.update(outer);
    return HexFormat.of().formatHex(digest.digest(within));
  }

  boolean isOn(String claimed, byte[]... parts) {
    return MessageDigest.isEqual(
        on(parts).getBytes(StandardCharsets.UTF_8), claimed.getBytes(StandardCharsets.UTF_8));
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
