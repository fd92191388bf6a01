package weft.cpu;

/** The JDK's vector module, which the portable kernels need and emitted code does not. */
final class VectorApi {
  /** What adds it to a JVM. */
  static final String FLAG = "--add-modules jdk.incubator.vector";

  private VectorApi() {}

  static boolean isPresent() {
    return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
  }
}
