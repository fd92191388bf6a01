package weft.backend;

/** The kernel that serves a launch, and of what kind it is. */
public record Service(Kind kind, String kernel) {
  /** Members of a mesh, whatever kernels they have for it. */
  public static final Service MESH = new Service(Kind.COLLECTIVE, "mesh");

  /** The reference interpreter's definition of the op. */
  public static final Service REFERENCE = new Service(Kind.REFERENCE, "interpreted");

  public enum Kind {
    /** Machine code that Weft wrote for this processor. */
    EMITTED,
    /** A kernel in Java, with the Vector API where it helps. */
    PORTABLE,
    REFERENCE,
    /** What members of a mesh do together. */
    COLLECTIVE
  }
}
