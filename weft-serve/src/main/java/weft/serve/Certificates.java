package weft.serve;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import weft.serve.models.ServeException;

/** A chain of certificates and its key, both as PEM texts. */
record Certificates(String chain, String key) {
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN PRIVATE KEY-----\\s+([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  /** What TLS connections are made with. */
  SSLContext context() {
    try {
      var certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(chain.getBytes(StandardCharsets.US_ASCII)));
      if (certificates.isEmpty()) {
        throw new ServeException("the TLS certificate file has no certificate in PEM form");
      }
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, new char[0]);
      store.setKeyEntry(
          "weft", privateKey(), new char[0], certificates.toArray(Certificate[]::new));
      var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, new SecureRandom());
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new ServeException(
          "the TLS certificate and key cannot be used together: " + e.getMessage(), e);
    }
  }

  private PrivateKey privateKey() throws GeneralSecurityException {
    var found = KEY.matcher(key);
    if (!found.find()) {
      throw new ServeException(
          "the TLS key file has no '-----BEGIN PRIVATE KEY-----' (PKCS #8, without a password);"
              + " openssl pkcs8 -topk8 -nodes makes one");
    }
    var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
    for (var algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // It is another algorithm's.
      }
    }
    throw new ServeException("the TLS key is of none of the kinds " + ALGORITHMS);
  }
}
