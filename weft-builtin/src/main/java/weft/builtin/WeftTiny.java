package weft.builtin;

import java.net.URL;
import java.util.Objects;
import weft.load.BuiltIn;

/** Where Weft Tiny is: beside this class. Safe for all threads. */
public final class WeftTiny implements BuiltIn.Source {
  /** For {@link java.util.ServiceLoader}. */
  public WeftTiny() {}

  @Override
  public URL weights() {
    return Objects.requireNonNull(WeftTiny.class.getResource("weft-tiny.gguf"));
  }
}
