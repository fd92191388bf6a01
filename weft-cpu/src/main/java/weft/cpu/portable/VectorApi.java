package weft.cpu.portable;

/** The JDK's vector module, which the portable kernels need and emitted code does not. */
public final class VectorApi {
  /** What adds it to a JVM. */
  public static final String FLAG = "--add-modules jdk.incubator.vector";

  private VectorApi() {}

  public static boolean isPresent() {
    var vectors = ModuleLayer.boot().findModule("jdk.incubator.vector");
    vectors.ifPresent(found -> VectorApi.class.getModule().addReads(found));
    return vectors.isPresent();
  }
}
