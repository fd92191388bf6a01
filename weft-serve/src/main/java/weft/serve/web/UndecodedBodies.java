package weft.serve.web;

import io.helidon.http.Headers;
import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;

/**
 * Hands bodies on as they come, however they are packed: a visit unpacks them within its limit, and
 * says in its dialect where it cannot. Answers are never packed. Safe for all threads.
 */
public final class UndecodedBodies implements ContentEncodingContext {
  private final ContentEncodingContext none =
      ContentEncodingContext.builder().contentEncodingsDiscoverServices(false).build();

  @Override
  public boolean contentEncodingEnabled() {
    return false;
  }

  @Override
  public boolean contentDecodingEnabled() {
    return true;
  }

  @Override
  public boolean contentEncodingSupported(String id) {
    return false;
  }

  @Override
  public boolean contentDecodingSupported(String id) {
    return true;
  }

  @Override
  public ContentEncoder encoder(String id) {
    return none.encoder(id);
  }

  @Override
  public ContentDecoder decoder(String id) {
    return ContentDecoder.NO_OP;
  }

  @Override
  public ContentEncoder encoder(Headers headers) {
    return none.encoder(headers);
  }

  @Override
  public ContentEncodingContextConfig prototype() {
    return none.prototype();
  }
}
