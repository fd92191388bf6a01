package weft.backend;

import java.util.Optional;

/**
 * Where a device keeps code that it compiled, from process to process. Never a reason to fail: what
 * cannot be kept, or was not kept by this, is not there. Safe from any thread.
 */
public interface CodeStore {
  /** Keeps nothing. */
  CodeStore NONE =
      new CodeStore() {
        @Override
        public Optional<byte[]> find(String key) {
          return Optional.empty();
        }

        @Override
        public void keep(String key, byte[] code) {}
      };

  /** What was kept under a key, which is all that the code was made of and for. */
  Optional<byte[]> find(String key);

  void keep(String key, byte[] code);
}
