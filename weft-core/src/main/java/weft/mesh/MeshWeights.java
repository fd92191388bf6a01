package weft.mesh;

import java.util.List;
import weft.backend.Device;
import weft.backend.PreparedWeights;

/** The shares of a checkpoint's tensors as each member of a mesh has prepared them; owns them. */
record MeshWeights(Device owner, List<PreparedWeights> shares) implements PreparedWeights {
  PreparedWeights of(int member) {
    return shares.get(member);
  }

  @Override
  public void close() {
    shares.forEach(PreparedWeights::close);
  }
}
