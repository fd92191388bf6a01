package weft.load;

import java.util.Optional;
import weft.backend.CodeStore;

/** The code that a device compiled, beside the programs that it is of. */
record KeptCode(SealedFolder folder) implements CodeStore {
  private static SealedFolder.Place place(String key) {
    return SealedFolder.Place.of(SealedFolder.Kind.CODE, key);
  }

  @Override
  public Optional<byte[]> find(String key) {
    return folder.read(place(key));
  }

  @Override
  public void keep(String key, byte[] code) {
    folder.write(place(key), code);
  }
}
